/** What an action would lead to, requested once and laid over the board. */

import { svg } from "./dom";
import type { Plan } from "./plan";
import type { Scene } from "./scene";
import type { Events, View } from "./types";

const PAUSE = 60; // milliseconds that a spot must be pointed at

export class Preview {
  private requests = new Map<string, Promise<View | null>>();
  private timer = 0;
  private action: string | null = null;

  constructor(
    private readonly scene: Scene,
    private readonly events: Events,
  ) {}

  /** The position is another one: what was known is of no use. */
  forget(): void {
    this.requests.clear();
    this.hide();
  }

  /** Ask no more: the action is being played, what is shown of it may stay. */
  stopAsking(): void {
    clearTimeout(this.timer);
  }

  hide(): void {
    this.action = null;
    clearTimeout(this.timer);
    this.scene.layers.ghosts.element.replaceChildren();
    for (const faded of this.scene.layers.pieces.element.querySelectorAll(".faded"))
      faded.classList.remove("faded");
  }

  show(plan: Plan, view: View, action: string | null): void {
    if (action === this.action) return;
    this.hide();
    this.action = action;
    if (action === null || !this.events.onpreview) return;
    this.timer = window.setTimeout(() => void this.load(plan, view, action), PAUSE);
  }

  private async load(plan: Plan, view: View, action: string): Promise<void> {
    const request = this.requests.get(action) ?? this.events.onpreview!(action).catch(() => null);
    this.requests.set(action, request);
    const after = await request;
    if (after === null) this.requests.delete(action);
    else if (this.action === action) this.draw(plan, view, after);
  }

  /** What would leave fades, what would come is laid over it, and what stays is left alone. */
  private draw(plan: Plan, view: View, after: View): void {
    const spots = changed(view, after).filter((spot) => plan.kinds.has(spot));
    const ghosts = spots.flatMap((spot) => {
      const stack = after.pieces[spot] ?? [];
      const stays = alike(this.scene.looks(view.pieces[spot] ?? []), this.scene.looks(stack));
      const lying = [...(this.scene.pieceAt(spot)?.children ?? [])];
      for (const piece of lying.slice(stays)) piece.classList.add("faded");
      const coming = this.scene.stack(plan, spot, stack);
      for (const piece of [...coming.children].slice(0, stays)) piece.remove();
      const { x, y } = plan.at(spot);
      const kind = coming.childElementCount ? "outline" : "outline leaves";
      const outline = svg("circle", { class: kind, cx: x, cy: y, r: 48 * plan.scale(spot) });
      return [coming, outline];
    });
    this.scene.layers.ghosts.element.replaceChildren(...ghosts);
  }
}

/** How many looks from below are the same in both. */
export function alike(before: [string, number][], after: [string, number][]): number {
  const first = before.findIndex((look, i) => look.join() !== after[i]?.join());
  return first < 0 ? before.length : first;
}

/** The spots on which something else would lie. */
export function changed(before: View, after: View): string[] {
  const spots = new Set([...Object.keys(before.pieces), ...Object.keys(after.pieces)]);
  const lying = (view: View, spot: string) => (view.pieces[spot] ?? []).join(" ");
  return [...spots].filter((spot) => lying(before, spot) !== lying(after, spot));
}
