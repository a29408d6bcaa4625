/** The spots as things to focus, to touch and to read aloud; one of them is a stop of the tab key. */

import { set, svg, translate } from "./dom";
import { neighbour } from "./near";
import type { Plan } from "./plan";
import type { LabelSpot, SpotState } from "./types";

const RADIUS = 48;
const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export type StateOfSpot = (spot: string) => SpotState;

/** Until the page brings its own. */
export const englishLabel: LabelSpot = ({ spot, pieces, isTarget, isChosen, isLast }) =>
  [
    spot,
    pieces.map((piece) => piece.replaceAll("-", " ")).join(", ") || "empty",
    ...(isChosen ? ["chosen"] : []),
    ...(isTarget ? ["can be chosen"] : []),
    ...(isLast ? ["last move"] : []),
  ].join(", ");

export class Hits {
  labelSpot: LabelSpot = englishLabel;
  private readonly made = new Map<string, SVGGElement>();
  private current = "";
  private goal: { axis: number; value: number } | null = null;

  constructor(private readonly layer: SVGGElement) {}

  /** Elements stay while their spots are shown: what has the focus keeps it. */
  draw(plan: Plan, shown: string[]): void {
    const stay = new Set(shown);
    for (const name of this.made.keys()) if (!stay.has(name)) this.remove(name);
    for (const name of shown) {
      const element = this.made.get(name) ?? this.make(name);
      set(element, "transform", translate(plan.at(name)));
      set(element.firstElementChild!, "r", String(RADIUS * Math.max(plan.scale(name), 0.86)));
    }
    if (!this.made.has(this.current)) this.stopAt(shown[Math.floor(shown.length / 2)] ?? "");
  }

  clear(): void {
    for (const name of this.made.keys()) this.remove(name);
  }

  private make(name: string): SVGGElement {
    const attributes = { role: "button", tabindex: -1, class: "spot", "data-spot": name };
    const made = svg("g", attributes, svg("circle"));
    this.made.set(name, made);
    this.layer.append(made);
    return made;
  }

  private remove(name: string): void {
    this.made.get(name)?.remove();
    this.made.delete(name);
  }

  describe(plan: Plan, stateOf: StateOfSpot, isDraggable: (spot: string) => boolean): void {
    for (const [name, element] of this.made) {
      const state = stateOf(name);
      set(element, "aria-label", this.labelSpot(state));
      set(element, "aria-pressed", String(state.isChosen));
      element.classList.toggle("choosable", state.isTarget);
      element.classList.toggle("draggable", isDraggable(name) && plan.kinds.has(name));
    }
  }

  /** Make a spot the one that the tab key stops at. */
  stopAt(spot: string): void {
    this.made.get(this.current)?.setAttribute("tabindex", "-1");
    this.made.get(spot)?.setAttribute("tabindex", "0");
    this.current = spot;
  }

  /** The spot that has the focus. */
  get focused(): string | null {
    const focused = document.activeElement as SVGElement | null;
    return focused?.closest<SVGElement>("g[data-spot]")?.dataset.spot ?? null;
  }

  focus(spot: string): void {
    this.stopAt(spot);
    this.made.get(spot)?.focus({ preventScroll: false });
  }

  /** Walk by an arrow key; false if it is another key. */
  walk(plan: Plan, key: string): boolean {
    const step = ARROWS[key];
    if (!step) return false;
    const [here, axis] = [plan.at(this.current), step[0] ? 0 : 1];
    if (this.goal?.axis !== axis) this.goal = { axis, value: axis ? here.x : here.y };
    const places = [...this.made.keys()].map((name) => [name, plan.at(name)] as [string, typeof here]);
    const next = neighbour(places, here, step, this.goal.value);
    if (next) this.focus(next);
    return true;
  }

  /** A spot was chosen otherwise: lines begin there. */
  jump(spot: string): void {
    this.goal = null;
    if (this.made.has(spot)) this.stopAt(spot);
  }
}
