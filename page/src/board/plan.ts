/** Where everything is: the layout in units of the pictures, turned as the player wants it. */

import type { Layout, Look, Spot } from "./types";

export const UNIT = 100; // from a spot to the next one
export const NEAR = 1.1; // how far the spots go that are shown around pieces
const NAME = /^([a-z]+)([0-9]+)$/;
const ROW = 0.82; // between rows of waiting pieces that were put under the board
const NAMED = 0.38; // more before a row that has a text over it
const BELOW = 1.4; // from the last row of the board to the first of those
const STEPS = [60, 90, 180];

export interface Point {
  x: number;
  y: number;
}

export interface PlanOptions {
  turned?: number | undefined;
  flipped?: boolean | undefined;
  /** What stands beside the board goes under it. */
  narrow?: boolean | undefined;
}

/** The one definition of a button: what a look draws does not matter. */
export const isButton = ({ kind }: Spot): boolean => kind === "button";

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

export function box(points: Point[]): { left: number; top: number; right: number; bottom: number } {
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  return {
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs),
    bottom: Math.max(...ys),
  };
}

export function middle(points: Point[]): Point {
  const { left, top, right, bottom } = box(points);
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

export function rotate(point: Point, around: Point, degrees: number): Point {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const [x, y] = [point.x - around.x, point.y - around.y];
  return { x: around.x + x * cos - y * sin, y: around.y + x * sin + y * cos };
}

/** The smallest turn that brings every spot onto a spot; half a turn if there is none. */
export function step(points: Point[], around = middle(points)): number {
  const key = (point: Point) => `${Math.round(point.x / 5)} ${Math.round(point.y / 5)}`;
  const origin = { x: 0, y: 0 };
  const shifted = points.map((point) => ({ x: point.x - around.x, y: point.y - around.y }));
  const taken = new Set(shifted.map(key));
  const fits = (degrees: number) =>
    shifted.every((point) => taken.has(key(rotate(point, origin, degrees))));
  return STEPS.find(fits) ?? 180;
}

/** The same for a board of which only a part is shown: its edges do not matter. */
export function innerStep(points: Point[]): number {
  const centre = middle(points);
  const away = (point: Point) => distance(point, centre);
  const inner = points.reduce((best, point) => (away(point) < away(best) ? point : best));
  return step(points.filter((point) => distance(point, inner) <= NEAR * UNIT), inner);
}

export class Plan {
  readonly place = new Map<string, Point>();
  readonly kinds = new Map<string, string>();
  readonly buttons: string[] = [];
  /** Spots with a coordinate for a name, and its two halves. */
  readonly gridded = new Map<string, [string, string]>();
  readonly labels: { text: string; x: number; y: number }[];
  readonly centre: Point;
  readonly degrees: number;
  readonly flipped: boolean;

  constructor(
    readonly layout: Layout,
    readonly look: Look,
    options: PlanOptions = {},
  ) {
    for (const [name, spot] of Object.entries(layout.spots)) {
      this.place.set(name, { x: UNIT * spot.x, y: UNIT * spot.y });
      const match = NAME.exec(name);
      if (isButton(spot)) this.buttons.push(name);
      else this.kinds.set(name, spot.kind);
      if (match && this.kinds.has(name)) this.gridded.set(name, [match[1]!, match[2]!]);
    }
    this.labels = (layout.labels ?? []).map(({ text, x, y }) => ({ text, x: UNIT * x, y: UNIT * y }));
    const grid = this.grid();
    this.centre = middle(grid);
    if (options.narrow) this.putUnder();
    const smallest = look.crop ? innerStep(grid) : step(grid);
    this.degrees = ((options.turned ?? 0) * smallest) % 360;
    this.flipped = options.flipped ?? false;
    for (const name of this.gridded.keys()) this.place.set(name, this.turn(this.at(name)));
  }

  at(spot: string): Point {
    return this.place.get(spot) ?? { x: 0, y: 0 };
  }

  grid(): Point[] {
    const names = this.gridded.size ? this.gridded.keys() : this.kinds.keys();
    return [...names].map((name) => this.at(name));
  }

  /** First turned, then seen in a mirror. */
  turn(point: Point): Point {
    const { x, y } = this.degrees ? rotate(point, this.centre, this.degrees) : point;
    return { x: this.flipped ? 2 * this.centre.x - x : x, y };
  }

  /** The same for what is drawn in the coordinates of the layout. */
  get turning(): string {
    const { x, y } = this.centre;
    const mirror = this.flipped ? `translate(${2 * x} 0) scale(-1 1) ` : "";
    return `${mirror}rotate(${this.degrees} ${x} ${y})`;
  }

  scale(spot: string): number {
    return this.look.scale[this.kinds.get(spot) ?? ""] ?? 1;
  }

  /** Spots that stand beside the board, such as pieces that wait. */
  beside(): string[] {
    return [...this.kinds.keys()].filter((name) => !this.gridded.has(name));
  }

  private putUnder(): void {
    const beside = this.beside();
    if (!beside.length || !this.gridded.size) return;
    const points = beside.map((name) => this.at(name));
    const rows = [...new Set(points.map((point) => point.y))].sort((a, b) => a - b);
    const shift = this.centre.x - middle([...points, ...this.labels]).x;
    const rowOf = (y: number) => rows.find((row) => row >= y) ?? rows.at(-1)!;
    let height = box(this.grid()).bottom + (BELOW - ROW) * UNIT;
    const heights = new Map<number, number>();
    for (const row of rows) {
      const isNamed = this.labels.some(({ y }) => y < row && rowOf(y) === row);
      heights.set(row, (height += (isNamed ? ROW + NAMED : ROW) * UNIT));
    }
    const moved = <T extends Point>(point: T): T => {
      const row = rowOf(point.y);
      return { ...point, x: point.x + shift, y: point.y + heights.get(row)! - row };
    };
    for (const name of beside) this.place.set(name, moved(this.at(name)));
    this.labels.splice(0, this.labels.length, ...this.labels.map(moved));
  }

  /** Which spots are shown, in the order of the layout: those that are taken with what is around
   * them, and those that are wanted. Whose turn it is changes nothing, so nothing jumps. */
  crop(taken: Iterable<string>, wanted: Iterable<string> = []): string[] {
    const all = [...this.kinds.keys()];
    const placed = (names: Iterable<string>) =>
      [...names].filter((name) => this.gridded.has(name)).map((name) => this.at(name));
    const points = placed(taken);
    if (!this.look.crop || !points.length) return all;
    if (this.look.crop === "near") {
      const wantedSpots = new Set(wanted);
      const isNear = (spot: string) =>
        points.some((point) => distance(point, this.at(spot)) <= NEAR * UNIT);
      return all.filter((spot) => this.gridded.has(spot) && (wantedSpots.has(spot) || isNear(spot)));
    }
    const around = points.flatMap(({ x, y }) => [{ x: x - UNIT, y: y - UNIT }, { x: x + UNIT, y: y + UNIT }]);
    const { left, top, right, bottom } = box([...around, ...placed(wanted)]);
    const isIn = ({ x, y }: Point) => x >= left - 1 && x <= right + 1 && y >= top - 1 && y <= bottom + 1;
    return all.filter((spot) => isIn(this.at(spot)));
  }
}
