"""How promising a position of Hexaequo is, as numbers for each player. "Rule n": see rules.en.md.

Most wins are prepared by small things: a piece that can be taken by the next action, a landing cell
where nobody takes back, a tile where a new piece is safe. What a player could take counts
differently for the one who acts (a gain) and for the one who waits (a threat): it has its own
features for each.
"""

from roundel.games.hexaequo.boards import (
    beside,
    both,
    chained,
    count,
    either,
    empty,
    landed,
    leaps,
    passed,
    pieces,
    without,
)
from roundel.games.hexaequo.rules import (
    CHAIN,
    DISC,
    FACTS,
    HELD,
    JUMPER,
    PHASE,
    RING,
    STOCK,
    TILE,
    TILES,
    VISITED,
    discs,
    player,
    rings,
    taken,
    tiles,
)
from roundel.kernel.jit import kernel

STANDING = (
    "acts",
    "acts, and is in the middle of a chain",
    "discs on the board",
    "rings on the board",
    "has a ring on the board",
    "captured discs held",
    "holds 4 captured discs or more",
    "holds 5 captured discs or more",
    "captured rings held",
    "holds 2 captured rings",
    "has no disc in reserve",
    "tiles in reserve",
    "may pay for a ring and has none on the board",
    "may pay for a ring and has one on the board",
    "holds 4 captured discs or more and may not pay for a ring",
    "rings on the board, while the enemy has no disc in reserve",
    "empty own tiles",
    "empty own tiles where a piece is safe",
    "empty own tiles from which a disc would threaten a piece and be safe",
    "cells that discs can step to, by 2",
    "cells that discs can step to and be safe, by 2",
    "cells that rings can leap to, by 2",
    "cells that rings can leap to and be safe, by 2",
)
TACTICS = (
    "enemy discs that can be captured",
    "enemy rings that can be captured",
    "enemy discs that a disc can capture",
    "enemy rings that a disc can capture",
    "can capture",
    "can capture and is safe afterwards",
    "can capture a ring by a jump, or by a leap and is safe afterwards",
    "can capture and go on to capture",
    "wins by one capture, or has enough already",
    "may win by several captures in a chain",
)
FEATURES = (
    *STANDING,
    *(f"acts: {what}" for what in TACTICS),
    *(f"waits: {what}" for what in TACTICS),
)
ACTS, WAITS = len(STANDING), len(STANDING) + len(TACTICS)
STAGES = 3
TILES_OF_A_STAGE = 5


@kernel
def stage(state):
    """How much of the board is built: the fewer tiles are left, the higher."""
    unplaced = state[STOCK, TILE] + state[STOCK, TILE + 1]
    return max(0, STAGES - 1 - unplaced // TILES_OF_A_STAGE)


@kernel
def reach(state, me):
    """Where a player's rings leap to, and where an enemy's piece could be jumped over."""
    laid = tiles(state)
    return both(leaps(rings(state, me)), laid), passed(discs(state, me), laid, empty(state))


@kernel
def features(state, out):
    one, other = reach(state, 0), reach(state, 1)
    describe(state, 0, (one, other), out[0])
    describe(state, 1, (other, one), out[1])


@kernel
def describe(state, me, reaches, out):
    """`reaches` are those of the player and of the other one."""
    material(state, me, out)
    lead_in_rings(state, me, out)
    danger = either(reaches[1][0], reaches[1][1])
    room(state, me, (reaches[0][0], danger), out)
    for i in range(ACTS, len(FEATURES)):
        out[i] = 0
    first = ACTS if player(state) == me else WAITS
    tactics(state, me, (reaches[0], danger), out[first:])


@kernel
def material(state, me, out):
    held_discs, held_rings = state[HELD, DISC + me], state[HELD, RING + me]
    many_rings = count(rings(state, me))
    acts = player(state) == me
    out[0] = acts
    out[1] = acts & (state[FACTS, PHASE] == CHAIN)
    out[2] = count(discs(state, me))
    out[3] = many_rings
    out[4] = many_rings > 0
    out[5] = held_discs
    out[6] = held_discs >= 4
    out[7] = held_discs >= 5
    out[8] = held_rings
    out[9] = held_rings >= 2
    out[10] = state[STOCK, DISC + me] == 0
    out[11] = state[STOCK, TILE + me]


@kernel
def lead_in_rings(state, me, out):
    """A captured disc is worth most as the first ring (rule 6): only rings take at a distance."""
    many_rings = count(rings(state, me))
    may_pay = (state[HELD, DISC + me] > 0) & (state[STOCK, RING + me] > 0)
    out[12] = may_pay & (many_rings == 0)
    out[13] = may_pay & (many_rings > 0)
    out[14] = (state[HELD, DISC + me] >= 4) & (not may_pay)
    out[15] = many_rings if state[STOCK, DISC + 1 - me] == 0 else 0


@kernel
def room(state, me, reached, out):
    """Where there is something to do, and where nothing can be captured by the next turn."""
    leaping, danger = reached
    onto = empty(state)
    own = both(onto, (state[TILES, 2 * me], state[TILES, 2 * me + 1]))
    steps = beside(discs(state, me), onto)
    leaped = without(leaping, pieces(state, me))
    # Jumps go both ways: from where a disc would land, it could come back to where it began.
    threats = landed(onto, pieces(state, 1 - me), without(own, danger))
    out[16] = count(own)
    out[17] = count(without(own, danger))
    out[18] = count(threats) if state[STOCK, DISC + me] > 0 else 0
    out[19] = count(steps) * 0.5
    out[20] = count(without(steps, danger)) * 0.5
    out[21] = count(leaped) * 0.5
    out[22] = count(without(leaped, danger)) * 0.5


@kernel
def tactics(state, me, reached, out):
    """What the next turn can capture, as far as a chain is followed."""
    (leaping, passing), danger = reached
    movers, onto, theirs = discs(state, me), empty(state), pieces(state, 1 - me)
    if (state[FACTS, PHASE] == CHAIN) & (player(state) == me):
        movers = state[FACTS, JUMPER], state[FACTS, JUMPER + 1]
        onto = without(onto, (state[FACTS, VISITED], state[FACTS, VISITED + 1]))
        leaping, passing = (0, 0), passed(movers, theirs, onto)
    leaped, first = both(leaping, theirs), both(passing, theirs)
    jumped = either(first, both(chained(movers, taken(state), onto), theirs))
    landing = landed(movers, first, onto)
    safe = count(without(landing, danger)) > 0
    clean = without(leaped, danger)
    ring = rings(state, 1 - me)
    out[4] = (leaped[0] | leaped[1] | jumped[0] | jumped[1]) != 0
    out[5] = safe | (count(clean) > 0)
    out[6] = count(both(ring, either(clean, jumped))) > 0
    out[7] = count(passed(landing, theirs, onto)) > 0
    gains(state, me, (leaped, jumped), out)


@kernel
def gains(state, me, captured, out):
    """How many pieces can be captured, and whether they are enough (rule 11)."""
    leaped, jumped = captured
    theirs, ring = pieces(state, 1 - me), rings(state, 1 - me)
    hit = either(leaped, jumped)
    hit_rings, jumped_rings = count(both(hit, ring)), count(both(jumped, ring))
    hit_discs, jumped_discs = count(hit) - hit_rings, count(jumped) - jumped_rings
    discs_left, rings_left = 6 - state[HELD, DISC + me], 3 - state[HELD, RING + me]
    all_left = count(theirs)
    out[0] = hit_discs
    out[1] = hit_rings
    out[2] = jumped_discs
    out[3] = jumped_rings
    sure = (discs_left <= min(1, hit_discs)) | (rings_left <= min(1, hit_rings))
    out[8] = sure | (all_left <= min(1, hit_discs + hit_rings))
    enough = (
        (discs_left <= jumped_discs) | (rings_left <= jumped_rings) | (all_left <= count(jumped))
    )
    out[9] = enough & (out[8] == 0)
