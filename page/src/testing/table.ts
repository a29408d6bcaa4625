/** Seats and entries as the server sends them, for tests that care for a part of them. */

import type { Entry, Seat } from "../lib/wire";

export const seat = (more: Partial<Seat> = {}): Seat => ({
  name: "",
  kind: "person",
  level: 0,
  level_name: "",
  elo: null,
  role: "",
  piece: "",
  mine: false,
  out: false,
  present: true,
  ...more,
});

export const entry = (more: Partial<Entry> = {}): Entry => ({ ply: 0, seat: 0, text: "", passed: [], left: -1, game: 0, ...more });
