// Stone Rows as in rules.py: every line of the grid (h, v, u, d) is one word of two 28-bit fields (none: no bit,
// unoccupied tile: both, white: low, black: high). Default options, whole random matches: 6 tile moves, 48 stones.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <immintrin.h>

enum { TILES = 56, LEFT_EMPTY = 8, COLUMNS = 26, ROWS = 20, FIELD = 28 };
enum { H = 0, V = 22, U = 50, D = 76, LINES = 102 };
enum { BUILD, FILL, OVER };
#define LOW ((1ull << FIELD) - 1)
#define BOTH (1ull << FIELD | 1)
#define ALL ((1ull << TILES) - 1)
#define INSIDE ((2ull << ROWS) - 2)
#define POP __builtin_popcountll
#define CTZ __builtin_ctzll
#define CLZ __builtin_clzll

typedef struct { uint64_t line[LINES], free, moved, moved_to; int64_t points[2]; int phase, player, left; } State;
typedef struct { uint8_t line, at; } Place;

static Place PLACES[32 * COLUMNS][4];
static int HOME[TILES];
static uint64_t HOMES[COLUMNS];
static State START;

static inline uint64_t below(uint64_t *rng, uint64_t n) {
  uint64_t x = *rng; x ^= x >> 12; x ^= x << 25; x ^= x >> 27; *rng = x;
  return (((x * 0x2545F4914F6CDD1Dull) >> 32) * n) >> 32;
}
static inline int nth(uint64_t word, int k) { return CTZ(_pdep_u64(1ull << k, word)); }

static inline void flip(State *s, int cell, uint64_t bits) {
  for (int d = 0; d < 4; d++) s->line[PLACES[cell][d].line] ^= bits << PLACES[cell][d].at;
}
static inline int cell_of(const State *s, int tile) {
  if (s->moved >> tile & 1) return s->moved_to >> 10 * POP(s->moved & ((1ull << tile) - 1)) & 1023;
  return HOME[tile];
}

// -- Building
static inline uint64_t column(const State *s, int x) { uint64_t l = s->line[V + x]; return (l | l >> FIELD) & LOW; }
static inline uint64_t beside(uint64_t left, uint64_t middle, uint64_t right) {
  uint64_t around = left | middle | right;
  return left | right | around << 1 | around >> 1;
}
static inline uint64_t rim(const State *s, int x) {
  uint64_t here = column(s, x);
  return beside(column(s, x - 1), here, column(s, x + 1)) & ~here & ~HOMES[x] & INSIDE;
}
static inline int leaves_all_touching(const State *s, int cell, int x, int y) {
  int from = cell >> 5;
  uint64_t gone = 2ull << (cell & 31), window = 7ull << (cell & 31), c[5];
  for (int i = 0; i < 5; i++) c[i] = column(s, from - 2 + i);
  c[2] ^= gone;
  for (int i = 1; i < 4; i++) {
    int near = from - 2 + i;
    uint64_t alone = window & ~beside(c[i - 1], c[i], c[i + 1]);
    uint64_t reached = near - x >= -1 && near - x <= 1 ? 7ull << y : 0;
    if (alone & c[i] & ~reached) return 0;
    if (near == x && alone >> (y + 1) & 1) return 0;
  }
  return 1;
}
static inline int pick_move(const State *s, uint64_t *rng) {
  uint64_t words[COLUMNS], unmoved = ~s->moved & ALL;
  int total = 0, many = POP(unmoved);
  for (int x = 0; x < COLUMNS; x++) words[x] = rim(s, x);
  for (int x = 0; x < COLUMNS; x++) total += POP(words[x]);
  for (;;) {
    int k = below(rng, total), x = 0;
    for (;; x++) { int n = POP(words[x]); if (k < n) break; k -= n; }
    int y = nth(words[x], k) - 1, tile = nth(unmoved, below(rng, many));
    if (leaves_all_touching(s, cell_of(s, tile), x, y)) return tile << 10 | x << 5 | y;
  }
}
static inline void move_tile(State *s, int action) {
  int tile = action >> 10, cell = action & 1023;
  flip(s, cell_of(s, tile), BOTH);
  flip(s, cell, BOTH);
  int place = 10 * POP(s->moved & ((1ull << tile) - 1));
  uint64_t under = s->moved_to & ((1ull << place) - 1);
  s->moved_to = (s->moved_to ^ under) << 10 | (uint64_t)cell << place | under;
  s->moved |= 1ull << tile;
  if (--s->left == 0) s->phase = FILL;
  s->player ^= 1;
}

// -- Filling
static inline int closed(uint64_t line, int at) {
  uint64_t other = ~(line ^ line >> FIELD) & LOW, unoccupied = line & line >> FIELD;
  int up = CTZ(other & (-2ull << at)), down = 63 - CLZ(other & ((1ull << at) - 1)), length = up - down - 1;
  int is_open = (unoccupied >> up | unoccupied >> down) & 1;
  return length * (1 - is_open) * (length > 1);
}
static inline void score_runs(State *s) {
  int64_t white = 0, black = 0;
  for (int i = 0; i < LINES; i++) {
    uint64_t unoccupied = s->line[i] & s->line[i] >> FIELD & LOW;
    uint64_t one = s->line[i] ^ (unoccupied | unoccupied << FIELD), two = one & one >> 1;
    uint64_t four = two & two >> 2, eight = four & four >> 4;
    white += POP(four & LOW) - POP(eight & LOW);
    black += POP(four >> FIELD) - POP(eight >> FIELD);
  }
  s->points[0] += 10 * white;
  s->points[1] += 10 * black;
}
static inline void place_stone(State *s, int tile) {
  int cell = cell_of(s, tile), me = s->player, gained = 0;
  for (int d = 0; d < 4; d++) {
    int line = PLACES[cell][d].line, at = PLACES[cell][d].at;
    gained += closed(s->line[line], at);
    s->line[line] ^= 1ull << (at + FIELD * (1 - me));
  }
  s->points[me] += gained;
  s->free ^= 1ull << tile;
  s->player = 1 - me;
  if (POP(s->free) == LEFT_EMPTY) { score_runs(s); s->phase = OVER; }
}

static inline int pick(const State *s, uint64_t *rng) {
  return s->phase == BUILD ? pick_move(s, rng) : nth(s->free, below(rng, POP(s->free)));
}
static inline void play(State *s, int action) {
  if (s->phase == FILL) place_stone(s, action); else move_tile(s, action);
}

static void prepare(void) {
  for (int x = 0; x < COLUMNS; x++)
    for (int y = 0; y < ROWS; y++) {
      Place *p = PLACES[32 * x + y];
      p[0] = (Place){H + y, x + 1}; p[1] = (Place){V + x, y + 1};
      p[2] = (Place){U + (x - y + COLUMNS) % COLUMNS, x + 1}; p[3] = (Place){D + (x + y) % COLUMNS, x + 1};
    }
  for (int tile = 0; tile < TILES; tile++) {
    int x = 6 + tile / 7, y = 6 + tile % 7;
    HOME[tile] = 32 * x + y;
    HOMES[x] |= 2ull << y;
    flip(&START, HOME[tile], BOTH);
  }
  START.free = ALL;
  START.left = 6;
}

typedef struct { int games; uint64_t seed; int64_t moves, white, black; } Job;
static void *run(void *argument) {
  Job *j = argument;
  uint64_t rng = j->seed;
  State s;
  j->moves = j->white = j->black = 0;
  for (int g = 0; g < j->games; g++) {
    s = START;
    while (s.phase != OVER) { play(&s, pick(&s, &rng)); j->moves++; }
    j->white += s.points[0] > s.points[1];
    j->black += s.points[0] < s.points[1];
  }
  return 0;
}

int main(int argc, char **argv) {
  int games = argc > 1 ? atoi(argv[1]) : 50000, reps = argc > 2 ? atoi(argv[2]) : 3, threads = argc > 3 ? atoi(argv[3]) : 1;
  double best = 1e9;
  Job j[8];
  prepare();
  for (int rep = 0; rep < reps; rep++) {
    struct timespec t0, t1;
    pthread_t t[8];
    clock_gettime(CLOCK_MONOTONIC, &t0);
    for (int i = 0; i < threads; i++) { j[i] = (Job){games, 12345 + i, 0, 0, 0}; pthread_create(t + i, 0, run, j + i); }
    for (int i = 0; i < threads; i++) pthread_join(t[i], 0);
    clock_gettime(CLOCK_MONOTONIC, &t1);
    double d = t1.tv_sec - t0.tv_sec + (t1.tv_nsec - t0.tv_nsec) * 1e-9;
    if (d < best) best = d;
  }
  int64_t moves = 0;
  for (int i = 0; i < threads; i++) moves += j[i].moves;
  printf("C stonerows popcount-pick th=%d (%ld, %ld, %ld) %.0f playouts/s %.0f moves/s %.1f ns/move/thread\n", threads,
         (long)j[0].moves, (long)j[0].white, (long)j[0].black, threads * games / best, moves / best, best / moves * 1e9 * threads);
}
