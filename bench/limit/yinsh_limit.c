// Yinsh on 12-word oriented bitboards (6 orientations x 2 words); every ray runs towards higher bits.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <pthread.h>
#include <immintrin.h>
#include "yinsh_tables.h"
enum {PLACE,MOVE,ROW,RING,OVER};
typedef struct {uint64_t mk[2][12],rg[2][12];uint8_t phase,player,mover,pool,rows,passes,score[2],placed,pad[23];} __attribute__((aligned(32))) S;
typedef uint64_t W12[12] __attribute__((aligned(32)));
#define POP __builtin_popcountll
#define CTZ __builtin_ctzll
#define CLZ __builtin_clzll
static inline void toggle(uint64_t*b,int c){for(int i=0;i<12;i++)b[i]^=BIT[c][i];}
static inline void dests(const S*s,uint64_t*out){const uint64_t*r=s->rg[s->player];
 for(int i=0;i<12;i++){uint64_t m=s->mk[0][i]|s->mk[1][i],occ=m|s->rg[0][i]|s->rg[1][i]|WALL[i];
  uint64_t sl=occ^(occ-2*r[i]);out[i]=(sl|(m+(sl&m)))&~occ;}}
static inline void rows_of(const uint64_t*m,uint64_t*out){for(int i=0;i<6;i++){uint64_t a=m[i]&m[i]>>1;out[i]=a&a>>2&m[i]>>4;}}
static inline int has_row(const uint64_t*m){uint64_t x=0;for(int i=0;i<6;i++){uint64_t a=m[i]&m[i]>>1;x|=a&a>>2&m[i]>>4;}return x!=0;}
static inline void empties(const S*s,uint64_t*e){for(int i=0;i<2;i++)e[i]=~(s->mk[0][i]|s->mk[1][i]|s->rg[0][i]|s->rg[1][i]|WALL[i]);}
// action sets as bitmasks: PLACE 2 words, MOVE 12 words, ROW 6 words, RING 2 words. returns number of words
static inline int mask(const S*s,uint64_t*o){switch(s->phase){case MOVE:dests(s,o);return 12;case PLACE:empties(s,o);return 2;case ROW:rows_of(s->mk[s->player],o);return 6;default:o[0]=s->rg[s->player][0];o[1]=s->rg[s->player][1];return 2;}}
static inline int legal(const S*s,int16_t*buf){W12 o;int n=0,w=mask(s,o);for(int i=0;i<w;i++){uint64_t x=o[i];while(x){buf[n++]=(i<<6)|CTZ(x);x&=x-1;}}if(!n)buf[n++]=-1;return n;}
static inline void resolve(S*s){int m=s->mover;if(s->rows&(m+1)){s->phase=ROW;s->player=m;}else if(s->rows){s->phase=ROW;s->player=1-m;}else{s->player=1-m;s->phase=s->pool?MOVE:OVER;}}
static inline void apply(S*s,int a){int me=s->player,w=a>>6;uint64_t bit=1ull<<(a&63);
 switch(s->phase){
 case MOVE:{if(a<0){s->player=1-me;if(++s->passes==2)s->phase=OVER;return;}s->passes=0;
  uint64_t below=s->rg[me][w]&(bit-1);int ob=63-CLZ(below);uint64_t from=1ull<<ob;int p=CELL[w][ob],q=CELL[w][a&63];
  uint64_t between=(bit-1)&~(from|(from-1));
  uint64_t j=(s->mk[0][w]|s->mk[1][w])&between;
  toggle(s->rg[me],p);toggle(s->rg[me],q);toggle(s->mk[me],p);s->pool--;
  if(j){W12 f={0};do{int c=CELL[w][CTZ(j)];toggle(f,c);j&=j-1;}while(j);
   for(int i=0;i<12;i++){s->mk[0][i]^=f[i];s->mk[1][i]^=f[i];}}
  s->rows=has_row(s->mk[0])|has_row(s->mk[1])<<1;s->mover=me;resolve(s);return;}
 case PLACE:toggle(s->rg[me],CELL[w][a&63]);s->player=1-me;if(++s->placed==10)s->phase=MOVE;return;
 case ROW:for(int i=0;i<5;i++)toggle(s->mk[me],CELL[w][(a&63)+i]);s->pool+=5;s->phase=RING;return;
 default:toggle(s->rg[me],CELL[w][a&63]);if(++s->score[me]==3){s->phase=OVER;return;}
  s->rows=has_row(s->mk[0])|has_row(s->mk[1])<<1;resolve(s);}}
static inline uint64_t rnd(uint64_t*r,uint64_t n){uint64_t x=*r;x^=x>>12;x^=x<<25;x^=x>>27;*r=x;return (((x*0x2545F4914F6CDD1Dull)>>32)*n)>>32;}
static inline int pick(const S*s,uint64_t*rng){W12 o;int w=mask(s,o);int tot=0;for(int i=0;i<w;i++)tot+=POP(o[i]);if(!tot)return -1;
 int k=rnd(rng,tot);int i=0;for(;;){int c=POP(o[i]);if(k<c)break;k-=c;i++;}return (i<<6)|CTZ(_pdep_u64(1ull<<k,o[i]));}
typedef struct {int games,mode;uint64_t seed;int64_t moves,w,b;} Job;
static void*run(void*v){Job*j=v;uint64_t rng=j->seed;S s;int16_t buf[512];j->moves=j->w=j->b=0;
 for(int g=0;g<j->games;g++){memset(&s,0,sizeof s);s.pool=51;
  if(j->mode)while(s.phase!=OVER){int n=legal(&s,buf);apply(&s,buf[rnd(&rng,n)]);j->moves++;}
  else while(s.phase!=OVER){apply(&s,pick(&s,&rng));j->moves++;}
  j->w+=s.score[0]>s.score[1];j->b+=s.score[0]<s.score[1];}
 return 0;}
#ifndef LIB
int main(int argc,char**argv){int games=atoi(argv[1]),reps=argc>2?atoi(argv[2]):3,th=argc>3?atoi(argv[3]):1;
 for(int mode=0;mode<2;mode++){double best=1e9;Job j[8];
 for(int rep=0;rep<reps;rep++){struct timespec t0,t1;clock_gettime(CLOCK_MONOTONIC,&t0);pthread_t t[8];
  for(int i=0;i<th;i++){j[i]=(Job){games,mode,12345+i};pthread_create(t+i,0,run,j+i);}for(int i=0;i<th;i++)pthread_join(t[i],0);
  clock_gettime(CLOCK_MONOTONIC,&t1);double d=t1.tv_sec-t0.tv_sec+(t1.tv_nsec-t0.tv_nsec)*1e-9;if(d<best)best=d;}
 int64_t mv=0;for(int i=0;i<th;i++)mv+=j[i].moves;
 printf("C bitboard %s th=%d (%ld, %ld, %ld) %.0f playouts/s %.0f moves/s %.1f ns/move/thread\n",mode?"buffer":"popcount-pick",th,j[0].moves,j[0].w,j[0].b,th*games/best,mv/best,best/mv*1e9*th);}}
#endif
