/** What happened between two views: pieces that went, came, left and turned. */

import type { View } from "./types";

/** A piece on a spot or in a tray; `at` counts the pieces there from below. */
export interface Lying {
  piece: string;
  place: string;
  tray: boolean;
  at: number;
}

export interface Difference {
  glides: { from: Lying; to: Lying }[];
  turns: { from: Lying; to: Lying }[];
  gone: Lying[];
  came: Lying[];
}

type Side = Record<string, string[]>;

/** The pieces of `here` that are not in `there`, the topmost of equal ones. */
function missing(here: Side, there: Side, tray: boolean): Lying[] {
  return Object.entries(here).flatMap(([place, stack]) => {
    const left = [...(there[place] ?? [])];
    return stack.flatMap((piece, at) => {
      const found = left.indexOf(piece);
      if (found < 0) return [{ piece, place, tray, at }];
      left.splice(found, 1);
      return [];
    });
  });
}

const key = (lying: Lying) => `${lying.tray ? "tray" : "spot"} ${lying.place}`;

/** Pairs of equal pieces, the nearest first; each piece is in one pair at most. */
function pair(lost: Lying[], won: Lying[], away: Away): { from: Lying; to: Lying }[] {
  const all = lost.flatMap((from) =>
    won.filter((to) => to.piece === from.piece).map((to) => ({ from, to, far: away(from, to) })),
  );
  const used = new Set<Lying>();
  return all
    .sort((a, b) => a.far - b.far)
    .filter(({ from, to }) => {
      if (used.has(from) || used.has(to)) return false;
      used.add(from).add(to);
      return true;
    });
}

export type Away = (from: Lying, to: Lying) => number;

export function difference(before: View, now: View, away: Away): Difference {
  let gone = both(before, now);
  let came = both(now, before);
  const glides: Difference["glides"] = [];
  const take = (lost: Lying[], won: Lying[]) => {
    const found = pair(lost, won, away).map(({ from, to }) => ({ from, to }));
    glides.push(...found);
    const used = new Set(found.flatMap(({ from, to }) => [from, to]));
    gone = gone.filter((lying) => !used.has(lying));
    came = came.filter((lying) => !used.has(lying));
  };
  // Where something lies in place of something else it was mostly turned, and did not come from
  // afar: so first what came to where nothing left, then what left from where nothing came.
  const left = new Set(gone.map(key));
  const reached = new Set(came.map(key));
  take(gone, came.filter((lying) => !left.has(key(lying))));
  take(gone.filter((lying) => !reached.has(key(lying))), came);
  const turns = came.flatMap((to) => {
    const from = gone.find((lying) => !lying.tray && key(lying) === key(to));
    return from ? [{ from, to }] : [];
  });
  const turned = new Set(turns.flatMap(({ from, to }) => [from, to]));
  return {
    glides,
    turns,
    gone: gone.filter((lying) => !turned.has(lying)),
    came: came.filter((lying) => !turned.has(lying)),
  };
}

function both(here: View, there: View): Lying[] {
  return [
    ...missing(here.pieces, there.pieces, false),
    ...missing(here.trays ?? {}, there.trays ?? {}, true),
  ];
}

export function count(found: Difference): number {
  return found.glides.length + found.turns.length + found.gone.length + found.came.length;
}
