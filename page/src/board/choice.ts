/** An action under construction: the spots chosen so far, and what can follow. */

import type { Paths } from "./types";

export type Node = Paths | string;

export function follow(paths: Paths | null, path: string[]): Node | null {
  let node: Node | null = paths;
  for (const spot of path) {
    if (node === null || typeof node === "string") return null;
    node = Object.hasOwn(node, spot) ? node[spot]! : null;
  }
  return node;
}

/** Every action with its path. */
export function actionsOf(node: Node, path: string[] = []): [string, string[]][] {
  if (typeof node === "string") return [[node, path]];
  return Object.entries(node).flatMap(([spot, below]) => actionsOf(below, [...path, spot]));
}

/** Every spot that is on some path. */
export function spotsOf(node: Node, spots = new Set<string>()): Set<string> {
  if (typeof node === "string") return spots;
  for (const [spot, below] of Object.entries(node)) spotsOf(below, spots.add(spot));
  return spots;
}

/** The action that somebody typed, as its text or as its spots; in any case of letters. */
export function typedAction(paths: Paths, text: string): string | null {
  const same = (a: string) => a.trim().toLowerCase();
  const spots = (a: string) => same(a).split(/[\s,-]+/).join(" ");
  const all = actionsOf(paths);
  for (const fits of [
    ([action]: [string, string[]]) => action === text.trim(),
    ([action]: [string, string[]]) => same(action) === same(text),
    ([, path]: [string, string[]]) => path.join(" ").toLowerCase() === spots(text),
  ]) {
    const matches = all.filter(fits);
    if (matches.length === 1) return matches[0]![0];
  }
  return null;
}

export class Choice {
  path: string[] = [];
  /** A complete action that is shown, and is played when it is chosen once more. */
  waiting: string | null = null;
  /** An action is on its way: whatever comes next is another choice. */
  isSent = false;

  constructor(readonly paths: Paths | null) {}

  private get base(): string[] {
    return this.waiting === null ? this.path : this.path.slice(0, -1);
  }

  get next(): string[] {
    const node = follow(this.paths, this.base);
    return node && typeof node === "object" ? Object.keys(node) : [];
  }

  get beginnings(): string[] {
    return Object.keys(this.paths ?? {});
  }

  /** Where a spot leads: on from here, or to a new beginning. */
  reach(spot: string): { path: string[]; node: Node } | null {
    for (const path of [[...this.base, spot], [spot]]) {
      const node = follow(this.paths, path);
      if (node !== null) return { path, node };
    }
    return null;
  }

  /** The action that a spot would complete. */
  completes(spot: string): string | null {
    const node = follow(this.paths, [...this.base, spot]);
    return typeof node === "string" ? node : null;
  }

  clear(): boolean {
    const had = this.path.length > 0;
    this.path = [];
    this.waiting = null;
    return had;
  }
}
