/** Animation from the difference of two views; only transforms and opacity, so it stays smooth. */

import { type Difference, type PlacedPiece, changeCount, difference } from "./difference";
import type { Frame } from "./frame";
import { type Plan, type Point, distance } from "./plan";
import type { Scene } from "./scene";
import type { Trays } from "./trays";
import type { View } from "./types";

const MOVE_TIME = 360; // milliseconds, for what moves
const FADE_TIME = 220;
const MAX_CHANGES = 60; // more is another position, not something that happened
const TRAY_SCALE = 0.52;
const EASE = "cubic-bezier(.3,.1,.2,1)";

interface Spot extends Point {
  scale: number;
}

export class Motion {
  private running: Animation[] = [];

  constructor(
    private readonly scene: Scene,
    private readonly trays: Trays,
  ) {}

  stop(): void {
    for (const animation of this.running) animation.cancel();
    this.running = [];
    this.scene.layers.flyers.element.replaceChildren();
  }

  /** What is to be shown, prepared while the old view is still drawn; call it after the new one is. */
  prepare(plan: Plan, before: View, now: View): () => void {
    const distanceBetween = (from: PlacedPiece, to: PlacedPiece) =>
      from.tray || to.tray ? 1e4 : distance(plan.at(from.place), plan.at(to.place));
    const changes = difference(before, now, distanceBetween);
    const starts = new Map(changes.moves.map(({ from }) => [from, this.placeOf(plan, from)]));
    return () => {
      if (changeCount(changes) <= MAX_CHANGES) this.run(plan, changes, starts);
    };
  }

  private run(plan: Plan, changes: Difference, starts: Map<PlacedPiece, Spot>): void {
    for (const { from, to } of changes.moves) this.glide(plan, starts.get(from)!, to);
    for (const { from, to } of changes.turns) this.turn(plan, from, to);
    for (const placed of changes.removed) if (!placed.tray) this.fadeOut(plan, placed);
    for (const placed of changes.added) this.fadeIn(placed);
  }

  private animate(element: Element | undefined, frames: Keyframe[], duration: number, delay = 0) {
    if (!element) return undefined;
    const made = element.animate(frames, { duration, delay, easing: EASE, fill: "backwards" });
    this.running.push(made);
    return made;
  }

  private placeOf(plan: Plan, placed: PlacedPiece): Spot {
    if (!placed.tray) return { ...plan.at(placed.place), scale: plan.scale(placed.place) };
    const rect = this.trays.find(placed.place, placed.at);
    const matrix = this.scene.element.getScreenCTM()?.inverse();
    if (!rect || !matrix) return { ...plan.centre, scale: TRAY_SCALE };
    const point = new DOMPoint(rect.x + rect.width / 2, rect.y + rect.height / 2);
    const { x, y } = point.matrixTransform(matrix);
    return { x, y, scale: TRAY_SCALE };
  }

  private element(placed: PlacedPiece): Element | undefined {
    if (placed.tray) return this.trays.pieceAt(placed.place, placed.at);
    const group = this.scene.pieceAt(placed.place);
    return group && (group.children[Math.min(placed.at, group.children.length - 1)] ?? group);
  }

  private flyer(piece: string, at: Spot): SVGUseElement {
    const made = this.scene.symbols.use(piece, at, at.scale);
    this.scene.layers.flyers.element.append(made);
    return made;
  }

  private glide(plan: Plan, start: Spot, to: PlacedPiece): void {
    const end = this.placeOf(plan, to);
    const flyer = this.flyer(to.piece, end);
    const frames = [{ transform: css(start) }, { transform: css(end) }];
    const made = this.animate(flyer, frames, MOVE_TIME);
    made!.onfinish = () => flyer.remove();
    this.animate(this.element(to), [{ opacity: 0 }, { opacity: 0 }], MOVE_TIME);
  }

  private fadeOut(plan: Plan, placed: PlacedPiece): void {
    const at = this.placeOf(plan, placed);
    const flyer = this.flyer(placed.piece, at);
    const frames = [
      { transform: css(at), opacity: 1 },
      { transform: css({ ...at, scale: at.scale * 1.25 }), opacity: 0 },
    ];
    this.animate(flyer, frames, FADE_TIME)!.onfinish = () => flyer.remove();
  }

  /** The old side closes like a door, then the new one opens. */
  private turn(plan: Plan, from: PlacedPiece, to: PlacedPiece): void {
    const at = this.placeOf(plan, from);
    const flyer = this.flyer(from.piece, at);
    const closed = { transform: `${css(at)} scaleX(.05)` };
    const open = { transform: `${css(at)} scaleX(1)` };
    this.animate(flyer, [open, closed], FADE_TIME / 2)!.onfinish = () => flyer.remove();
    const element = this.element(to);
    this.animate(element, [closed, open], FADE_TIME / 2, FADE_TIME / 2);
    this.animate(element, [{ opacity: 0 }, { opacity: 0 }], FADE_TIME / 2);
  }

  private fadeIn(placed: PlacedPiece): void {
    this.animate(this.element(placed), [{ opacity: 0 }, { opacity: 1 }], FADE_TIME);
  }

  /** From the frame before to the one that is drawn. The whole picture is moved as one: to move
   * what is in it would make the browser lay out its texts for every frame. */
  reframe(before: Frame, now: Frame): void {
    const scale = now.width / before.width;
    const middle = (box: Frame) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
    const [old, next] = [middle(before), middle(now)];
    if (Math.abs(scale - 1) < 0.001 && distance(old, next) < 1) return;
    const pixels = scale * (this.scene.element.getScreenCTM()?.a ?? 0);
    const shift = { x: pixels * (next.x - old.x), y: pixels * (next.y - old.y), scale };
    this.animate(this.scene.picture, [{ transform: css(shift) }, { transform: "none" }], MOVE_TIME);
  }
}

function css({ x, y, scale }: Spot): string {
  return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${scale.toFixed(3)})`;
}
