/** What stands around a board: its frame, its coordinates, and arrows along actions. */

import { type Plan, type Point, UNIT, box, distance } from "./plan";

export const OUTSIDE = 0.7 * UNIT; // from the last spot to the coordinate beyond it
const MARGIN = 0.78 * UNIT; // around the outermost spots
const WRITTEN = 0.32 * UNIT; // around coordinates and other texts
const NARROWEST = 7 * UNIT; // so that a board that grows begins with room

export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The part of the plane that is shown; a board that grows stays square, so that nothing jumps. */
export function frame(plan: Plan, shown: string[], texts: Point[]): Frame {
  const corners = [
    ...shown.flatMap((name) => around(plan.at(name), MARGIN)),
    ...[...texts, ...plan.labels].flatMap((point) => around(point, WRITTEN)),
  ];
  const { left, top, right, bottom } = box(corners);
  let [width, height] = [right - left, bottom - top];
  if (plan.look.crop) width = height = Math.max(width, height, NARROWEST);
  return { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height };
}

function around({ x, y }: Point, margin: number): Point[] {
  return [
    { x: x - margin, y: y - margin },
    { x: x + margin, y: y + margin },
  ];
}

export function beyond(first: Point, second: Point): Point {
  const far = OUTSIDE / distance(first, second);
  return { x: first.x + far * (first.x - second.x), y: first.y + far * (first.y - second.y) };
}

export interface Label extends Point {
  text: string;
}

/** Letters beyond the first spot of each column, numbers beyond the first of each row. */
export function edgeLabels(plan: Plan, shown: string[]): Label[] {
  const columns = new Map<string, [number, string][]>();
  const rows = new Map<string, [number, string][]>();
  for (const name of shown) {
    const [letters, digits] = plan.gridded.get(name) ?? ["", ""];
    if (!letters) continue;
    columns.set(letters, [...(columns.get(letters) ?? []), [Number(digits), name]]);
    rows.set(digits, [...(rows.get(digits) ?? []), [plan.layout.spots[name]!.x, name]]);
  }
  const labels: Label[] = [];
  for (const [text, group] of [...columns, ...rows]) {
    const [first, second] = group.sort((a, b) => a[0] - b[0]);
    if (first && second) labels.push({ text, ...beyond(plan.at(first[1]), plan.at(second[1])) });
  }
  return labels;
}

/** The outline of a band from point to point, with a head if something went along it. */
export function arrow(start: Point, end: Point, head: boolean): string {
  const length = distance(start, end);
  if (!length) return "";
  const [dx, dy] = [(end.x - start.x) / length, (end.y - start.y) / length];
  const tip = length - 26; // shorter than the way, so that what stands at its ends stays visible
  const side: [number, number][] = head
    ? [[20, 4.5], [tip - 34, 4.5], [tip - 40, 20], [tip, 0]]
    : [[0, 4.5], [length, 4.5]];
  const other = side.map(([along, across]): [number, number] => [along, -across]).reverse();
  const corner = ([along, across]: [number, number]) =>
    `${(start.x + along * dx - across * dy).toFixed(1)},${(start.y + along * dy + across * dx).toFixed(1)}`;
  return [...side, ...other].map(corner).join(" ");
}

/** The ways of the last action: from spot to spot of one kind. */
export function trail(plan: Plan, last: string[], pieces: Record<string, string[]>) {
  const top = (spot: string) => pieces[spot]?.at(-1);
  const spots = last.filter((spot) => plan.kinds.has(spot));
  return spots.slice(1).flatMap((end, i) => {
    const start = spots[i]!;
    if (plan.kinds.get(start) !== plan.kinds.get(end)) return [];
    // Two ends that look alike only tell a row.
    const head = top(end) !== undefined && top(end) !== top(start);
    return [arrow(plan.at(start), plan.at(end), head)];
  });
}
