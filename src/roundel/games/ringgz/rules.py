"""The rules of Ringgz. "Rule n" is paragraph n of rules.en.md."""

import numpy as np

from roundel.core.game import Options, Player, State
from roundel.kernel.bits import any_of, popcount
from roundel.kernel.jit import kernel
from roundel.kernel.memory import full as full
from roundel.kernel.memory import rows_for as rows_for

# -- Board ----------------------------------------------------------------------
# 25 territories (rule 1), numbered row by row from the lower left; a board is 25 bits of a word.
#
#     5  20 21 22 23 24
#     4  15 16 17 18 19      A *pair* is two boards in one word: the player's first colour in
#     3  10 11 12 13 14      bits 0 to 24, the second colour (with three players the neutral one)
#     2   5  6  7  8  9      in bits 32 to 56. Nobody holds more than two colours.
#     1   0  1  2  3  4
#         a  b  c  d  e
SIZE = 5
TERRITORIES = [(x, y) for y in range(SIZE) for x in range(SIZE)]
SECOND = 32
PAIR = 1 | 1 << SECOND  # a board times this is the pair with that board twice
ALL = (1 << SIZE * SIZE) - 1
CENTRAL = sum(1 << i for i, (x, y) in enumerate(TERRITORIES) if 0 < x < 4 and 0 < y < 4)

# Kinds of pieces: 0 to 3 are the rings of size 1 to 4 (rule 2).
BASE, KINDS = 4, 5
WORDS = KINDS
COLOURS = ("blue", "green", "yellow", "red")
NEUTRAL = 4  # who owns red with three players: nobody
BLUE, GREEN, YELLOW, RED = 0, 1, 2, 3
DEALT = {  # rules 4 to 6: the colours of each player, first and second
    2: ((BLUE, GREEN), (YELLOW, RED)),
    3: ((BLUE, RED), (GREEN, RED), (YELLOW, RED)),
    4: ((BLUE,), (GREEN,), (YELLOW,), (RED,)),
}

# -- State ----------------------------------------------------------------------
# A column is a kind of piece, except in REACH and SHUT, where it is a player.
FACTS, FREE, REACH, SHUT, OPEN, STOCK, PIECES, ROWS = 0, 1, 2, 3, 4, 8, 12, 16
OUT = 1 << 44
# FREE           pair: the territories where nothing forbids a piece of the kind to anyone
# REACH          pair: where the player's colour is present or linked (rule 8)
# SHUT           pair: beside a base of the player's colour (rule 8)
# OPEN + player  pair: everywhere if the player has such a piece left, nowhere if not
# STOCK + player how many are left: of the first colour, and 2 ** 32 times of the second; of the
#                smallest ring OUT more for a player who has left the match: too many to win
# PIECES + colour  board: where they lie
PHASE, PLAYER, START, MODE, OPENING = 0, 1, 2, 3, 4  # in FACTS
# START: the board with the starting base. OPENING: who has the first turn (rule 7).
# MODE: 0 and 1 for two players, 2 and 3 for three, 4 and 5 for four; odd: `presence=player`.
PREPARE, PLACE, OVER = 0, 1, 2  # phases: what is asked next

# -- Actions --------------------------------------------------------------------
# PREPARE  the territory (rule 7)
# PLACE    64 * kind + the territory, + 32 for the player's second colour (rule 8)


def _near() -> np.ndarray:
    """NEAR[territory] = the pair with it and the territories linked to it."""
    links = [(1, 0), (0, 1), (-1, 0), (0, -1), (0, 0)]
    near = np.zeros(len(TERRITORIES), np.int64)
    for i, (x, y) in enumerate(TERRITORIES):
        linked = [(x + dx, y + dy) for dx, dy in links]
        near[i] = PAIR * sum(1 << TERRITORIES.index(t) for t in linked if t in TERRITORIES)
    return near


def _modes() -> tuple[np.ndarray, ...]:
    """COLOUR[mode, player, 0 first or 1 second]; OWNER[mode, colour]; pairs full or empty:
    HOLDS[mode, colour, player]: the board of that colour, in the hands of that player;
    LINKS[mode, colour, player]: the boards that grow when that colour gets somewhere (rule 8)."""
    colour = np.zeros((6, 4, 2), np.int64)
    owner = np.full((6, 4), NEUTRAL, np.int64)
    holds = np.zeros((6, 4, 4), np.int64)
    links = np.zeros((6, 4, 4), np.int64)
    for mode in range(6):
        players = mode // 2 + 2
        for player, dealt in enumerate(DEALT[players]):
            for second, c in enumerate(dealt):
                colour[mode, player, second] = c
                holds[mode, c, player] = ALL << SECOND * second
                links[mode, c, player] = ALL * PAIR if mode % 2 else holds[mode, c, player]
                if (players, c) != (3, RED):
                    owner[mode, c] = player
    return colour, owner, holds, links


NEAR = _near()
COLOUR, OWNER, HOLDS, LINKS = _modes()
BLOCKS = np.zeros((KINDS, KINDS), np.int64)  # BLOCKS[kind, other] = -1: no other beside that kind
BLOCKS[BASE, :] = BLOCKS[:, BASE] = -1  # rules 8 and 10
np.fill_diagonal(BLOCKS, -1)

# -- Rules ----------------------------------------------------------------------


def initial(options: Options) -> State:
    """Rules 1 to 6: an empty board, player 1 to put the starting base."""
    players = options["players"]
    state = np.zeros((ROWS, KINDS), np.int64)
    state[FACTS, MODE] = 2 * (players - 2) + (options["presence"] == "player")
    state[FACTS, OPENING] = options["opening"] == "turn"
    state[FREE] = ALL * PAIR
    for player, dealt in enumerate(DEALT[players]):
        for second, colour in enumerate(dealt):
            each = 1 if (players, colour) == (3, RED) else 3
            state[STOCK + player] += each << SECOND * second
            state[OPEN + player] |= ALL << SECOND * second
    return state


@kernel
def player(state):
    return state[FACTS, PLAYER]


@kernel
def over(state):
    return state[FACTS, PHASE] == OVER


@kernel
def open_to(state, me, kind):
    """Where I can place a piece of a kind (rule 8), a base also beside one of the same colour."""
    return state[FREE, kind] & state[OPEN + me, kind] & state[REACH, me]


@kernel
def targets(state, words):
    """The legal actions as bits; returns how many words are in use."""
    phase = state[FACTS, PHASE]
    me = state[FACTS, PLAYER] & 3
    if phase == PLACE:
        for kind in range(state.shape[1]):
            words[kind] = open_to(state, me, kind)
        words[BASE] &= ~state[SHUT, me]
        return WORDS
    if phase == PREPARE:
        words[0] = CENTRAL
        return 1
    return 0


@kernel
def pick(state, words, rng):
    return any_of(words, targets(state, words), rng)


@kernel
def prepare(state, at):
    """Rule 7. The starting base is present as all colours, and shuts nothing (rule 9)."""
    state[FACTS, START] = 1 << at
    for kind in range(KINDS):
        state[FREE, kind] &= ~(PAIR << at)
    for someone in range(4):
        state[REACH, someone] = NEAR[at]
    state[FACTS, PHASE] = PLACE
    state[FACTS, PLAYER] = state[FACTS, OPENING]


@kernel
def place(state, me, kind, second, at):
    """Rules 8 to 10. Without branches, which random matches would mispredict."""
    mode = state[FACTS, MODE] & 7
    colour = COLOUR[mode, me, second] & 3
    state[PIECES + colour, kind] |= 1 << at
    for other in range(KINDS):
        state[FREE, other] &= ~((PAIR << at) & BLOCKS[kind, other])
    shut = NEAR[at] * (kind == BASE)
    for someone in range((mode >> 1) + 2):
        state[REACH, someone] |= NEAR[at] & LINKS[mode, colour, someone]
        state[SHUT, someone] |= shut & HOLDS[mode, colour, someone]
    stock = state[STOCK + me, kind] - (1 << SECOND * second)
    state[STOCK + me, kind] = stock
    none_left = (stock >> SECOND * second) & 3 == 0
    state[OPEN + me, kind] &= ~((ALL * none_left) << SECOND * second)


@kernel
def next_turn(state, me):
    """Rule 11: those who can place nothing are passed over. Rule 12: nobody can place a ring."""
    players = (state[FACTS, MODE] >> 1) + 2
    with_bases = -1  # the first one who can place a base, but no ring
    for _ in range(players):
        me = me + 1 if me + 1 < players else 0
        rings = 0
        for kind in range(BASE):
            rings |= open_to(state, me, kind)
        if rings != 0:  # at once, nearly always
            state[FACTS, PLAYER] = me if with_bases < 0 else with_bases
            return
        if with_bases < 0 and open_to(state, me, BASE) & ~state[SHUT, me] != 0:
            with_bases = me
    state[FACTS, PHASE] = OVER
    state[FACTS, PLAYER] = 0


@kernel
def play(state, action):
    """Play a legal action, in place."""
    at = action & 31
    if state[FACTS, PHASE] == PREPARE:
        prepare(state, at)
    else:
        me = state[FACTS, PLAYER] & 3
        place(state, me, (action >> 6) & 7, (action >> 5) & 1, at)
        next_turn(state, me)


@kernel
def rings_of(state, colour):
    """The territories where a colour has a ring, and those where it has two or more."""
    one = 0
    two = 0
    for size in range(BASE):
        two |= one & state[PIECES + colour, size]
        one |= state[PIECES + colour, size]
    return one, two


@kernel
def crowds(state):
    """The territories where several colours have a ring, where one has two or more, and where
    several have two."""
    any_ring = 0
    any_two = 0
    shared = 0
    shared_two = 0
    for colour in range(4):
        one, two = rings_of(state, colour)
        shared |= any_ring & one
        shared_two |= any_two & two
        any_ring |= one
        any_two |= two
    return shared, any_two, shared_two


@kernel
def majorities(state):
    """How many territories each player has won (rule 13), 8 bits for each; the neutral ones last.

    As at most four rings lie on a territory, a colour has the majority there exactly if it is the
    only one with two or more rings, or the only one with any.
    """
    shared, _, shared_two = crowds(state)
    total = 0
    for colour in range(4):
        one, two = rings_of(state, colour)
        won = (one & ~shared) | (two & ~shared_two)
        total += popcount(won) << 8 * OWNER[state[FACTS, MODE], colour]
    return total


@kernel
def points(state, out):
    total = majorities(state)
    for someone in range((state[FACTS, MODE] >> 1) + 2):
        out[someone] = (total >> 8 * someone) & 255


@kernel
def winners(state):
    """Rule 14: most territories, then fewest pieces left (so never one with OUT)."""
    total = majorities(state)
    best = -64
    leaders = 0
    for someone in range((state[FACTS, MODE] >> 1) + 2):
        stock = 0
        for kind in range(KINDS):
            stock += state[STOCK + someone, kind]
        score = 64 * ((total >> 8 * someone) & 255) - (stock & 63) - (stock >> SECOND)
        if score > best:
            best = score
            leaders = 0
        if score == best:
            leaders |= 1 << someone
    return leaders


# -- Leaving a match: not on the sheet, see the decisions in README.md ------------


def has_left(state: State, someone: Player) -> bool:
    return state.item(STOCK + someone, 0) >= OUT


def placings(state: State, someone: Player) -> State:
    """What a player can place (rule 8): a pair for each kind."""
    pairs: State = state[FREE] & state[OPEN + someone] & state[REACH, someone]
    pairs[BASE] &= ~state[SHUT, someone]
    return pairs


def staying(state: State) -> list[Player]:
    """Who has not left, from the player to act on."""
    players, first = int(state[FACTS, MODE]) // 2 + 2, int(state[FACTS, PLAYER])
    order = [(first + i) % players for i in range(players)]
    return [someone for someone in order if not has_left(state, someone)]


def retire(state: State, leaver: Player) -> State:
    """The match without a player, who is passed over from now on. Another one must stay."""
    state = state.copy()
    state[STOCK + leaver, 0] |= OUT
    state[OPEN + leaver] = 0
    if state[FACTS, PHASE] == PREPARE:
        retire_early(state)
    else:
        settle(state)
    return state


def retire_early(state: State) -> None:
    """Rule 7 without the leaver: who puts the starting base, and who has the first turn."""
    was_turn = int(state[FACTS, OPENING] != state[FACTS, PLAYER])
    order = staying(state)
    state[FACTS, PLAYER], state[FACTS, OPENING] = order[0], order[was_turn % len(order)]


def settle(state: State) -> None:
    """Rules 11 and 12 again: whose turn it is, if the match goes on."""
    order = staying(state)
    if any(placings(state, someone)[:BASE].any() for someone in order):
        state[FACTS, PLAYER] = next(p for p in order if placings(state, p).any())
    else:
        state[FACTS, PHASE], state[FACTS, PLAYER] = OVER, 0
