// Ringgz for two players on 25-bit boards, two boards (the player's two colours) per word.
// gcc -O3 -march=native -pthread ringgz_limit.c -o limit && ./limit GAMES [REPS] [THREADS]
#include <immintrin.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PREPARE, PLACE, OVER };
enum { BASE = 4, KINDS = 5 };
#define ALL ((1ull << 25) - 1)
#define PAIR (1ull | 1ull << 32)
#define POP __builtin_popcountll
#define CTZ __builtin_ctzll

typedef struct {
  uint64_t free[KINDS];      // pair: where nothing forbids the kind
  uint64_t open[2][KINDS];   // pair: everywhere if the player has such a piece left
  uint64_t reach[2], shut[2];
  uint32_t pieces[4][KINDS];
  uint8_t stock[2][2][KINDS];
  uint8_t phase, player;
} State;

static uint64_t NEAR[25];
static uint64_t CENTRAL;
static const uint64_t BLOCKS[KINDS][KINDS] = {  // no second piece of that kind beside the first
    {-1, 0, 0, 0, -1}, {0, -1, 0, 0, -1}, {0, 0, -1, 0, -1}, {0, 0, 0, -1, -1}, {-1, -1, -1, -1, -1}};

static void tables(void) {
  for (int i = 0; i < 25; i++) {
    int x = i % 5, y = i / 5;
    uint64_t n = 1ull << i;
    if (x > 0) n |= 1ull << (i - 1);
    if (x < 4) n |= 1ull << (i + 1);
    if (y > 0) n |= 1ull << (i - 5);
    if (y < 4) n |= 1ull << (i + 5);
    NEAR[i] = n * PAIR;
    if (x > 0 && x < 4 && y > 0 && y < 4) CENTRAL |= 1ull << i;
  }
}

static inline void start(State *s) {
  *s = (State){0};
  for (int k = 0; k < KINDS; k++) {
    s->free[k] = s->open[0][k] = s->open[1][k] = ALL * PAIR;
    for (int p = 0; p < 2; p++) s->stock[p][0][k] = s->stock[p][1][k] = 3;
  }
}

static inline uint64_t bases_for(const State *s, int me) {
  return s->free[BASE] & s->open[me][BASE] & s->reach[me] & ~s->shut[me];
}

static inline int targets(const State *s, uint64_t *words) {
  if (s->phase == PREPARE) {
    words[0] = CENTRAL;
    return 1;
  }
  int me = s->player;
  for (int k = 0; k < BASE; k++) words[k] = s->free[k] & s->open[me][k] & s->reach[me];
  words[BASE] = bases_for(s, me);
  return KINDS;
}

static inline void next_turn(State *s, int me) {
  int with_bases = -1;  // the first one who can place a base, but no ring
  for (int i = 0; i < 2; i++) {
    me ^= 1;
    uint64_t rings = 0;
    for (int k = 0; k < BASE; k++) rings |= s->free[k] & s->open[me][k];
    if (rings & s->reach[me]) {
      s->player = with_bases < 0 ? me : with_bases;
      return;
    }
    if (with_bases < 0 && bases_for(s, me)) with_bases = me;
  }
  s->phase = OVER;
}

static inline void play(State *s, int action) {
  int at = action & 31;
  uint64_t both = PAIR << at, near = NEAR[at];
  if (s->phase == PREPARE) {
    for (int k = 0; k < KINDS; k++) s->free[k] &= ~both;
    s->reach[0] = s->reach[1] = near;
    s->phase = PLACE;
    return;
  }
  int me = s->player, kind = action >> 6, second = action >> 5 & 1;
  uint64_t half = ALL << 32 * second;
  s->pieces[2 * me + second][kind] |= 1u << at;
  s->reach[me] |= near & half;
  s->shut[me] |= near & half & -(uint64_t)(kind == BASE);
  for (int k = 0; k < KINDS; k++) s->free[k] &= ~(both & BLOCKS[kind][k]);
  s->open[me][kind] &= ~(half & -(uint64_t)(--s->stock[me][second][kind] == 0));
  next_turn(s, me);
}

static inline int winners(const State *s) {
  uint32_t one[4] = {0}, two[4] = {0}, any1 = 0, any2 = 0, shared1 = 0, shared2 = 0;
  for (int c = 0; c < 4; c++) {
    for (int k = 0; k < BASE; k++) {
      two[c] |= one[c] & s->pieces[c][k];
      one[c] |= s->pieces[c][k];
    }
    shared1 |= any1 & one[c];
    shared2 |= any2 & two[c];
    any1 |= one[c];
    any2 |= two[c];
  }
  int score[2] = {0};
  for (int c = 0; c < 4; c++) score[c >> 1] += 64 * POP((one[c] & ~shared1) | (two[c] & ~shared2));
  for (int p = 0; p < 2; p++)
    for (int k = 0; k < KINDS; k++) score[p] -= s->stock[p][0][k] + s->stock[p][1][k];
  return (score[0] >= score[1]) | (score[1] >= score[0]) << 1;
}

static inline uint64_t below(uint64_t *rng, uint64_t n) {
  uint64_t x = *rng;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  *rng = x;
  return (((x * 0x2545F4914F6CDD1Dull) >> 32) * n) >> 32;
}

static inline int pick(const State *s, uint64_t *rng) {
  uint64_t words[KINDS];
  int used = targets(s, words), total = 0, before = 0, at = 0;
  for (int i = 0; i < used; i++) total += POP(words[i]);
  int k = below(rng, total);
  total = 0;
  for (int i = 0; i < used; i++) {
    total += POP(words[i]);
    if (total <= k) before = total, at = i + 1;
  }
  return at << 6 | CTZ(_pdep_u64(1ull << (k - before), words[at]));
}

typedef struct {
  int games;
  uint64_t seed;
  int64_t moves, won[4];
} Job;

static void *run(void *argument) {
  Job job = *(Job *)argument;
  State s;
  for (int g = 0; g < job.games; g++) {
    start(&s);
    do {
      play(&s, pick(&s, &job.seed));
      job.moves++;
    } while (s.phase != OVER);
    job.won[winners(&s)]++;
  }
  *(Job *)argument = job;
  return 0;
}

int main(int argc, char **argv) {
  int games = argc > 1 ? atoi(argv[1]) : 20000, reps = argc > 2 ? atoi(argv[2]) : 3;
  int threads = argc > 3 ? atoi(argv[3]) : 1;
  double best = 1e9;
  Job jobs[64];
  pthread_t ids[64];
  tables();
  for (int rep = 0; rep < reps; rep++) {
    struct timespec t0, t1;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    for (int i = 0; i < threads; i++) {
      jobs[i] = (Job){.games = games, .seed = 12345 + i};
      pthread_create(ids + i, 0, run, jobs + i);
    }
    for (int i = 0; i < threads; i++) pthread_join(ids[i], 0);
    clock_gettime(CLOCK_MONOTONIC, &t1);
    double seconds = t1.tv_sec - t0.tv_sec + (t1.tv_nsec - t0.tv_nsec) * 1e-9;
    if (seconds < best) best = seconds;
  }
  int64_t moves = 0;
  for (int i = 0; i < threads; i++) moves += jobs[i].moves;
  printf("C ringgz popcount-pick th=%d (%ld, %ld, %ld) %.0f playouts/s %.0f moves/s %.1f ns/move/thread\n",
         threads, jobs[0].moves, jobs[0].won[1], jobs[0].won[2], threads * games / best, moves / best,
         best / moves * 1e9 * threads);
}
