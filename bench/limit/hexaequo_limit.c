// Hexaequo on the rolled-up plane of rules.py: cell (q, r) is (q + 18 r) mod 114, a board is two words of 57 bits.
// The same algorithm in C, as the limit that the compiled Python is measured against:
//   gcc -O3 -march=native -pthread hexaequo_limit.c -o limit && ./limit GAMES [REPS] [THREADS]
#include <immintrin.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STRIDE = 18, HALF = 57, CELLS = 114, NOWHERE = 114, STOP = 57, MOVED = 6, BENT = 30, WORDS = 42, ROOM = 4096 };
enum { TURN, CHAIN, OVER };
enum { TILE, DISC, RING };
typedef struct { uint64_t pieces[2][2], rings[2]; } Board;
typedef struct {
  Board now;
  uint64_t tiles[2][2], once[2], twice[2], jumper[2], visited[2];
  int32_t stock[3][2], held[3][2], phase, player, winners, seen;
  Board history[ROOM];
} State;

static const int OFFSETS[9][2] = {{1, 0}, {0, 1}, {-1, 1}, {2, 0}, {0, 2}, {-2, 2}, {1, 1}, {-1, 2}, {-2, 1}};
static const int SHIFT[9] = {1, 18, 17, 2, 36, 34, 19, 35, 16};
static uint64_t BIT[CELLS + 1][2], AROUND[CELLS][2];
static uint8_t ORIGIN[WORDS][64], MIDDLE[WORDS][64];

static int number(int q, int r) { return ((q + STRIDE * r) % CELLS + CELLS) % CELLS; }

static void tables(void) {
  memset(MIDDLE, NOWHERE, sizeof MIDDLE);
  for (int c = 0; c < CELLS; c++) BIT[c][c / HALF] = 1ull << c % HALF;
  for (int i = 0; i < 9; i++)
    for (int back = 0; back < 2; back++)
      for (int c = 0; c < CELLS; c++) {
        int sign = back ? -1 : 1, q = sign * OFFSETS[i][0], r = sign * OFFSETS[i][1];
        int word = MOVED + 4 * i + 2 * back + c / HALF;
        ORIGIN[word][c % HALF] = (c + number(-q, -r)) % CELLS;
        if (i < 3) for (int h = 0; h < 2; h++) AROUND[c][h] |= BIT[(c + number(q, r)) % CELLS][h];
        else if (i < 6) MIDDLE[word][c % HALF] = (c + number(-q / 2, -r / 2)) % CELLS;
      }
}

static inline uint64_t ahead(uint64_t word, uint64_t other, int k) { return word << k | other >> (HALF - k); }

static inline void lay_tile(State *s, int me, int cell) {
  for (int i = 0; i < 2; i++) {
    s->tiles[me][i] |= BIT[cell][i];
    s->twice[i] |= s->once[i] & AROUND[cell][i];
    s->once[i] |= AROUND[cell][i];
  }
}

static void initial(State *s) {
  memset(s, 0, offsetof(State, history));
  lay_tile(s, 0, number(0, 0)), lay_tile(s, 0, number(1, 0));
  lay_tile(s, 1, number(-1, 1)), lay_tile(s, 1, number(0, 1));
  for (int p = 0; p < 2; p++) s->stock[TILE][p] = 7, s->stock[DISC][p] = 5, s->stock[RING][p] = 3;
  memcpy(s->now.pieces[0], BIT[number(1, 0)], 16);
  memcpy(s->now.pieces[1], BIT[number(-1, 1)], 16);
}

static inline int targets(const State *s, uint64_t *w) {
  int me = s->player;
  const uint64_t *mine = s->now.pieces[me], *t = s->tiles[me];
  uint64_t r0 = mine[0] & s->now.rings[0], r1 = mine[1] & s->now.rings[1];
  uint64_t d0 = mine[0] ^ r0, d1 = mine[1] ^ r1;
  uint64_t taken0 = s->now.pieces[0][0] | s->now.pieces[1][0], taken1 = s->now.pieces[0][1] | s->now.pieces[1][1];
  uint64_t tiles0 = s->tiles[0][0] | s->tiles[1][0], tiles1 = s->tiles[0][1] | s->tiles[1][1];
  uint64_t free0 = tiles0 & ~taken0 & ~s->visited[0], free1 = tiles1 & ~taken1 & ~s->visited[1];
  uint64_t open0 = free0, open1 = free1;
  if (s->phase == TURN) {
    uint64_t may = -(uint64_t)(s->stock[TILE][me] != 0);
    w[0] = s->twice[0] & ~tiles0 & may, w[1] = s->twice[1] & ~tiles1 & may;
    may = -(uint64_t)(s->stock[DISC][me] != 0);
    w[2] = free0 & t[0] & may, w[3] = free1 & t[1] & may;
    may = -(uint64_t)((s->stock[RING][me] != 0) & (s->held[DISC][me] != 0));
    w[4] = free0 & t[0] & may, w[5] = free1 & t[1] & may;
  } else {
    w[0] = 1ull << STOP, w[1] = w[2] = w[3] = w[4] = w[5] = 0;
    d0 = s->jumper[0], d1 = s->jumper[1], open0 = open1 = r0 = r1 = 0;
  }
  for (int i = 0; i < 3; i++) {
    int k = SHIFT[i];
    uint64_t a = ahead(d0, d1, k), b = ahead(d1, d0, k), c = ahead(d1, d0, HALF - k), d = ahead(d0, d1, HALF - k);
    uint64_t *x = w + MOVED + 4 * i, *y = x + 12;
    x[0] = a & open0, x[1] = b & open1, x[2] = c & open0, x[3] = d & open1;
    a &= taken0, b &= taken1, c &= taken0, d &= taken1;
    y[0] = ahead(a, b, k) & free0, y[1] = ahead(b, a, k) & free1;
    y[2] = ahead(d, c, HALF - k) & free0, y[3] = ahead(c, d, HALF - k) & free1;
  }
  if (!(r0 | r1)) return BENT;
  memset(w + BENT, 0, 8 * (WORDS - BENT));
  uint64_t land0 = tiles0 & ~mine[0], land1 = tiles1 & ~mine[1];
  for (int i = 3; i < 9; i++) {
    int k = SHIFT[i];
    uint64_t *x = w + MOVED + 4 * i;
    x[0] |= ahead(r0, r1, k) & land0, x[1] |= ahead(r1, r0, k) & land1;
    x[2] |= ahead(r1, r0, HALF - k) & land0, x[3] |= ahead(r0, r1, HALF - k) & land1;
  }
  return WORDS;
}

static inline int can_jump(const State *s, uint64_t d0, uint64_t d1) {
  uint64_t taken0 = s->now.pieces[0][0] | s->now.pieces[1][0], taken1 = s->now.pieces[0][1] | s->now.pieces[1][1];
  uint64_t free0 = (s->tiles[0][0] | s->tiles[1][0]) & ~taken0 & ~s->visited[0];
  uint64_t free1 = (s->tiles[0][1] | s->tiles[1][1]) & ~taken1 & ~s->visited[1], found = 0;
  for (int i = 0; i < 3; i++) {
    int k = SHIFT[i];
    uint64_t a = ahead(d0, d1, k) & taken0, b = ahead(d1, d0, k) & taken1;
    uint64_t c = ahead(d1, d0, HALF - k) & taken0, d = ahead(d0, d1, HALF - k) & taken1;
    found |= (ahead(a, b, k) | ahead(d, c, HALF - k)) & free0;
    found |= (ahead(b, a, k) | ahead(c, d, HALF - k)) & free1;
  }
  return found != 0;
}

static inline int reaches(uint64_t p0, uint64_t p1, uint64_t land0, uint64_t land1, int first, int last) {
  uint64_t found = 0;
  for (int i = first; i < last; i++) {
    int k = SHIFT[i];
    found |= (ahead(p0, p1, k) | ahead(p1, p0, HALF - k)) & land0;
    found |= (ahead(p1, p0, k) | ahead(p0, p1, HALF - k)) & land1;
  }
  return found != 0;
}

static inline int can_act(const State *s, int me) {
  if (s->stock[TILE][me] > 0) return 1;
  const uint64_t *mine = s->now.pieces[me];
  uint64_t tiles0 = s->tiles[0][0] | s->tiles[1][0], tiles1 = s->tiles[0][1] | s->tiles[1][1];
  uint64_t free0 = tiles0 & ~(s->now.pieces[0][0] | s->now.pieces[1][0]);
  uint64_t free1 = tiles1 & ~(s->now.pieces[0][1] | s->now.pieces[1][1]);
  uint64_t r0 = mine[0] & s->now.rings[0], r1 = mine[1] & s->now.rings[1], d0 = mine[0] ^ r0, d1 = mine[1] ^ r1;
  if (reaches(d0, d1, free0, free1, 0, 3)) return 1;
  uint64_t own = (free0 & s->tiles[me][0]) | (free1 & s->tiles[me][1]);
  if (own && (s->stock[DISC][me] > 0 || (s->stock[RING][me] > 0 && s->held[DISC][me] > 0))) return 1;
  return reaches(r0, r1, tiles0 & ~mine[0], tiles1 & ~mine[1], 3, 9) || can_jump(s, d0, d1);
}

static inline int occurrences(const State *s) {
  int found = 0;
  const Board *n = &s->now;
  for (int i = s->seen - 4; i >= 0; i -= 2) {
    const Board *h = s->history + i;
    found += ((h->pieces[0][0] ^ n->pieces[0][0]) | (h->pieces[0][1] ^ n->pieces[0][1]) | (h->pieces[1][0] ^ n->pieces[1][0]) |
              (h->pieces[1][1] ^ n->pieces[1][1]) | (h->rings[0] ^ n->rings[0]) | (h->rings[1] ^ n->rings[1])) == 0;
  }
  return found;
}

static inline void end_turn(State *s, int me) {
  int you = 1 - me;
  s->player = you, s->phase = TURN;
  s->jumper[0] = s->jumper[1] = s->visited[0] = s->visited[1] = 0;
  if (!(s->now.pieces[you][0] | s->now.pieces[you][1]) || s->held[DISC][me] == 6 || s->held[RING][me] == 3)
    s->phase = OVER, s->winners = 1 << me;
  else if (occurrences(s) >= 2 || !can_act(s, you))
    s->phase = OVER, s->winners = 3;
}

static inline void place(State *s, int me, int kind, int cell) {
  s->seen = 0;
  s->stock[kind][me]--;
  if (kind == TILE) { lay_tile(s, me, cell); return; }
  for (int i = 0; i < 2; i++) s->now.pieces[me][i] |= BIT[cell][i];
  if (kind == RING) {
    for (int i = 0; i < 2; i++) s->now.rings[i] |= BIT[cell][i];
    s->held[DISC][me]--, s->stock[DISC][1 - me]++;
  }
}

static inline int move(State *s, int me, int word, int at, int cell) {
  int start = ORIGIN[word][at], you = 1 - me;
  int ring = ((s->now.rings[0] & BIT[start][0]) | (s->now.rings[1] & BIT[start][1])) != 0;
  int target = ring ? cell : MIDDLE[word][at];
  uint64_t hit = 0, hit_ring = 0;
  for (int i = 0; i < 2; i++) {
    uint64_t moved = BIT[start][i] | BIT[cell][i], gone = BIT[target][i] & s->now.pieces[you][i];
    hit |= gone, hit_ring |= gone & s->now.rings[i];
    s->now.pieces[me][i] ^= moved;
    s->now.pieces[you][i] ^= gone;
    s->now.rings[i] = (s->now.rings[i] & ~gone) ^ (moved & -(uint64_t)ring);
  }
  if (hit) s->seen = 0, s->held[hit_ring ? RING : DISC][me]++;
  if (ring || word < MOVED + 12) return 0;
  for (int i = 0; i < 2; i++) {
    s->visited[i] = BIT[cell][i] | (hit ? 0 : s->visited[i] | BIT[start][i]);
    s->jumper[i] = BIT[cell][i];
  }
  s->phase = CHAIN;
  return can_jump(s, s->jumper[0], s->jumper[1]);
}

static inline void play(State *s, int action) {
  int me = s->player, word = action >> 6, at = action & 63, cell = at + HALF * (word & 1), goes_on = 0;
  if (word >= MOVED) {
    if (s->phase == TURN) s->history[s->seen++] = s->now;
    goes_on = move(s, me, word, at, cell);
  }
  else if (action != STOP) place(s, me, word >> 1, cell);
  if (!goes_on) end_turn(s, me);
}

static inline uint64_t below(uint64_t *rng, uint64_t n) {
  uint64_t x = *rng;
  x ^= x >> 12, x ^= x << 25, x ^= x >> 27;
  *rng = x;
  return (((x * 0x2545F4914F6CDD1Dull) >> 32) * n) >> 32;
}

static inline int pick(const State *s, uint64_t *rng) {
  uint64_t w[WORDS];
  int used = targets(s, w), total = 0, i = 0;
  for (int j = 0; j < used; j++) total += __builtin_popcountll(w[j]);
  for (int k = below(rng, total), c;; k -= c, i++)
    if (k < (c = __builtin_popcountll(w[i]))) return i << 6 | __builtin_ctzll(_pdep_u64(1ull << k, w[i]));
}

typedef struct { int games; uint64_t seed; int64_t moves, wins[4]; } Job;

static void *run(void *argument) {
  Job *job = argument;
  State *s = malloc(sizeof *s);
  uint64_t rng = job->seed;
  for (int g = 0; g < job->games; g++) {
    for (initial(s); s->phase != OVER && s->seen < ROOM; job->moves++) play(s, pick(s, &rng));
    job->wins[s->winners]++;
  }
  free(s);
  return 0;
}

int main(int argc, char **argv) {
  int games = argc > 1 ? atoi(argv[1]) : 20000, reps = argc > 2 ? atoi(argv[2]) : 3, threads = argc > 3 ? atoi(argv[3]) : 1;
  double best = 1e9;
  Job jobs[64];
  tables();
  for (int rep = 0; rep < reps; rep++) {
    struct timespec begun, ended;
    pthread_t ids[64];
    clock_gettime(CLOCK_MONOTONIC, &begun);
    for (int i = 0; i < threads; i++) {
      jobs[i] = (Job){.games = games, .seed = 12345 + i};
      pthread_create(ids + i, 0, run, jobs + i);
    }
    for (int i = 0; i < threads; i++) pthread_join(ids[i], 0);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    double spent = ended.tv_sec - begun.tv_sec + (ended.tv_nsec - begun.tv_nsec) * 1e-9;
    if (spent < best) best = spent;
  }
  int64_t moves = 0;
  for (int i = 0; i < threads; i++) moves += jobs[i].moves;
  printf("C hexaequo popcount-pick th=%d (%ld, %ld, %ld, %ld) %.0f playouts/s %.0f moves/s %.1f ns/move/thread\n", threads,
         (long)jobs[0].moves, (long)jobs[0].wins[1], (long)jobs[0].wins[2], (long)jobs[0].wins[3], threads * games / best,
         moves / best, best / moves * 1e9 * threads);
}
