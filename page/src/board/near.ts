/** Which spot is meant: by a finger that is broad, or by an arrow key. */

import { type Plan, type Point, UNIT, distance } from "./plan";

const REACH = 0.7 * UNIT; // of a spot that can be chosen
const TOUCH = 0.55 * UNIT; // of any other

function nearest(plan: Plan, spots: Iterable<string>, point: Point, within: number): string | null {
  let [best, shortest]: [string | null, number] = [null, within];
  for (const spot of spots) {
    const away = distance(plan.at(spot), point);
    if (away <= shortest) [best, shortest] = [spot, away];
  }
  return best;
}

/** What can be chosen comes first, even if another spot is nearer. */
export function intendedSpot(
  plan: Plan,
  point: Point,
  choosable: Iterable<string>,
  shown: Iterable<string>,
): string | null {
  const drawn = [...choosable].filter((spot) => plan.kinds.has(spot));
  const exact = nearest(plan, shown, point, 0.3 * UNIT * 0.64);
  if (exact && !drawn.includes(exact)) return exact;
  return nearest(plan, drawn, point, REACH) ?? nearest(plan, shown, point, TOUCH);
}

/** The next spot in a direction, as near as possible to the line `goal` that is followed.
 *
 * On a board of hexagons a line zigzags; with the goal it comes back to itself. */
export function neighbour(
  places: Iterable<[string, Point]>,
  here: Point,
  [across, down]: [number, number],
  goal: number,
): string | null {
  let best: [number, number, string] | null = null;
  for (const [name, place] of places) {
    const ahead = (place.x - here.x) * across + (place.y - here.y) * down;
    const aside = Math.abs((across ? place.y : place.x) - goal);
    if (ahead <= 1) continue;
    const sum = ahead + aside;
    if (!best || sum < best[0] - 1 || (sum < best[0] + 1 && aside < best[1] - 1))
      best = [sum, aside, name];
  }
  return best && best[2];
}
