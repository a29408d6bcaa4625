/** A position small enough for a card: the board alone, without trays, stocks and buttons. */

import type { Layout, View } from "../board";
import { isButton } from "../board/plan";

/** The kind that most places have: these are the board, the others lie beside it. */
function commonKind(layout: Layout): string {
  const counts = new Map<string, number>();
  const places = Object.values(layout.spots).filter((spot) => !isButton(spot));
  for (const { kind } of places) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}

export function thumbnail(layout: Layout, view: View): { layout: Layout; view: View } {
  const kind = commonKind(layout);
  const spots = Object.fromEntries(Object.entries(layout.spots).filter(([, spot]) => spot.kind === kind));
  const lines = layout.lines?.filter((ends) => ends.every((end) => end in spots));
  const pieces = Object.fromEntries(Object.entries(view.pieces).filter(([spot]) => spot in spots));
  return { layout: { spots, lines, labels: [], trays: {} }, view: { pieces, trays: {} } };
}
