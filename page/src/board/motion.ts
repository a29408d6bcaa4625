/** Animation from the difference of two views; only transforms and opacity, so it stays smooth. */

import { type Difference, type Lying, count, difference } from "./difference";
import type { Frame } from "./frame";
import { type Plan, type Point, distance } from "./plan";
import type { Scene } from "./scene";
import type { Trays } from "./trays";
import type { View } from "./types";

const LONG = 360; // milliseconds, for what glides
const SHORT = 220;
const MOST = 60; // changes; more is another position, not something that happened
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
    const away = (from: Lying, to: Lying) =>
      from.tray || to.tray ? 1e4 : distance(plan.at(from.place), plan.at(to.place));
    const found = difference(before, now, away);
    const starts = new Map(found.glides.map(({ from }) => [from, this.where(plan, from)]));
    return () => {
      if (count(found) <= MOST) this.run(plan, found, starts);
    };
  }

  private run(plan: Plan, found: Difference, starts: Map<Lying, Spot>): void {
    for (const { from, to } of found.glides) this.glide(plan, starts.get(from)!, to);
    for (const { from, to } of found.turns) this.turn(plan, from, to);
    for (const lying of found.gone) if (!lying.tray) this.leave(plan, lying);
    for (const lying of found.came) this.pop(lying);
  }

  private animate(element: Element | undefined, frames: Keyframe[], duration: number, delay = 0) {
    if (!element) return undefined;
    const made = element.animate(frames, { duration, delay, easing: EASE, fill: "backwards" });
    this.running.push(made);
    return made;
  }

  private where(plan: Plan, lying: Lying): Spot {
    if (!lying.tray) return { ...plan.at(lying.place), scale: plan.scale(lying.place) };
    const rect = this.trays.find(lying.place, lying.at);
    const matrix = this.scene.element.getScreenCTM()?.inverse();
    if (!rect || !matrix) return { ...plan.centre, scale: TRAY_SCALE };
    const point = new DOMPoint(rect.x + rect.width / 2, rect.y + rect.height / 2);
    const { x, y } = point.matrixTransform(matrix);
    return { x, y, scale: TRAY_SCALE };
  }

  private element(lying: Lying): Element | undefined {
    if (lying.tray) return this.trays.pieceAt(lying.place, lying.at);
    const group = this.scene.pieceAt(lying.place);
    return group && (group.children[Math.min(lying.at, group.children.length - 1)] ?? group);
  }

  private flyer(piece: string, at: Spot): SVGUseElement {
    const made = this.scene.symbols.use(piece, at, at.scale);
    this.scene.layers.flyers.element.append(made);
    return made;
  }

  private glide(plan: Plan, start: Spot, to: Lying): void {
    const end = this.where(plan, to);
    const flyer = this.flyer(to.piece, end);
    const frames = [{ transform: css(start) }, { transform: css(end) }];
    const made = this.animate(flyer, frames, LONG);
    made!.onfinish = () => flyer.remove();
    this.animate(this.element(to), [{ opacity: 0 }, { opacity: 0 }], LONG);
  }

  private leave(plan: Plan, lying: Lying): void {
    const at = this.where(plan, lying);
    const flyer = this.flyer(lying.piece, at);
    const frames = [
      { transform: css(at), opacity: 1 },
      { transform: css({ ...at, scale: at.scale * 1.25 }), opacity: 0 },
    ];
    this.animate(flyer, frames, SHORT)!.onfinish = () => flyer.remove();
  }

  /** The old side closes like a door, then the new one opens. */
  private turn(plan: Plan, from: Lying, to: Lying): void {
    const at = this.where(plan, from);
    const flyer = this.flyer(from.piece, at);
    const closed = { transform: `${css(at)} scaleX(.05)` };
    const open = { transform: `${css(at)} scaleX(1)` };
    this.animate(flyer, [open, closed], SHORT / 2)!.onfinish = () => flyer.remove();
    const element = this.element(to);
    this.animate(element, [closed, open], SHORT / 2, SHORT / 2);
    this.animate(element, [{ opacity: 0 }, { opacity: 0 }], SHORT / 2);
  }

  private pop(lying: Lying): void {
    this.animate(this.element(lying), [{ opacity: 0 }, { opacity: 1 }], SHORT);
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
    this.animate(this.scene.picture, [{ transform: css(shift) }, { transform: "none" }], LONG);
  }
}

function css({ x, y, scale }: Spot): string {
  return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${scale.toFixed(3)})`;
}
