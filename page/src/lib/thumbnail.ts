/** A position small enough for a card: the board alone, without trays, stocks and buttons. */

import type { Layout, View } from "../board";

/** The kind that most spots have: these are the board, the others lie beside it. */
function commonKind(layout: Layout): string {
  const counts = new Map<string, number>();
  for (const { kind } of Object.values(layout.spots)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}

export function thumbnail(layout: Layout, view: View): { layout: Layout; view: View } {
  const kind = commonKind(layout);
  const spots = Object.fromEntries(Object.entries(layout.spots).filter(([, spot]) => spot.kind === kind));
  const lines = layout.lines?.filter((ends) => ends.every((end) => end in spots));
  const pieces = Object.fromEntries(Object.entries(view.pieces).filter(([spot]) => spot in spots));
  return { layout: { spots, lines, labels: [], trays: {} }, view: { pieces, trays: {} } };
}
