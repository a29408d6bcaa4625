/** What happened between two views: pieces that moved, turned, were added or removed. */

import type { View } from "./types";

/** A piece on a spot or in a tray; `at` counts the pieces there from below. */
export interface PlacedPiece {
  piece: string;
  place: string;
  tray: boolean;
  at: number;
}

interface Change {
  from: PlacedPiece;
  to: PlacedPiece;
}

export interface Difference {
  moves: Change[];
  turns: Change[];
  removed: PlacedPiece[];
  added: PlacedPiece[];
}

type Side = Record<string, string[]>;

/** The pieces of `here` that are not in `there`, the topmost of equal ones. */
function missing(here: Side, there: Side, tray: boolean): PlacedPiece[] {
  return Object.entries(here).flatMap(([place, stack]) => {
    const unmatched = [...(there[place] ?? [])];
    return stack.flatMap((piece, at) => {
      const match = unmatched.indexOf(piece);
      if (match < 0) return [{ piece, place, tray, at }];
      unmatched.splice(match, 1);
      return [];
    });
  });
}

const key = (placed: PlacedPiece) => `${placed.tray ? "tray" : "spot"} ${placed.place}`;

/** Pairs of equal pieces, the nearest first; each piece is in one pair at most. */
function pair(sources: PlacedPiece[], destinations: PlacedPiece[], distanceBetween: DistanceBetween): Change[] {
  const all = sources.flatMap((from) =>
    destinations.filter((to) => to.piece === from.piece).map((to) => ({ from, to, far: distanceBetween(from, to) })),
  );
  const used = new Set<PlacedPiece>();
  return all
    .sort((a, b) => a.far - b.far)
    .filter(({ from, to }) => {
      if (used.has(from) || used.has(to)) return false;
      used.add(from).add(to);
      return true;
    });
}

export type DistanceBetween = (from: PlacedPiece, to: PlacedPiece) => number;

export function difference(before: View, now: View, distanceBetween: DistanceBetween): Difference {
  let removed = both(before, now);
  let added = both(now, before);
  const moves: Difference["moves"] = [];
  const match = (sources: PlacedPiece[], destinations: PlacedPiece[]) => {
    const pairs = pair(sources, destinations, distanceBetween).map(({ from, to }) => ({ from, to }));
    moves.push(...pairs);
    const used = new Set(pairs.flatMap(({ from, to }) => [from, to]));
    removed = removed.filter((placed) => !used.has(placed));
    added = added.filter((placed) => !used.has(placed));
  };
  // Where something lies in place of something else it was mostly turned, and did not come from
  // afar: so first what came to where nothing left, then what left from where nothing came.
  const vacated = new Set(removed.map(key));
  const filled = new Set(added.map(key));
  match(removed, added.filter((placed) => !vacated.has(key(placed))));
  match(removed.filter((placed) => !filled.has(key(placed))), added);
  const turns = added.flatMap((to) => {
    const from = removed.find((placed) => !placed.tray && key(placed) === key(to));
    return from ? [{ from, to }] : [];
  });
  const turned = new Set(turns.flatMap(({ from, to }) => [from, to]));
  return {
    moves,
    turns,
    removed: removed.filter((placed) => !turned.has(placed)),
    added: added.filter((placed) => !turned.has(placed)),
  };
}

function both(here: View, there: View): PlacedPiece[] {
  return [
    ...missing(here.pieces, there.pieces, false),
    ...missing(here.trays ?? {}, there.trays ?? {}, true),
  ];
}

export function changeCount(changes: Difference): number {
  return changes.moves.length + changes.turns.length + changes.removed.length + changes.added.length;
}
