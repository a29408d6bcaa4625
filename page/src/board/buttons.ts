/** Spots that are no places of the board: real buttons beneath it. */

import { html } from "./dom";
import type { Plan } from "./plan";
import type { Layout, SpotState } from "./types";

export class Buttons {
  readonly element = html("div", "buttons");
  private readonly made = new Map<string, HTMLButtonElement>();

  constructor(plan: Plan, layout: Layout, press: (spot: string) => void) {
    for (const name of plan.buttons) {
      const button = html("button", "", layout.spots[name]!.label ?? name);
      button.type = "button";
      button.dataset.spot = name;
      button.addEventListener("click", () => press(name));
      this.made.set(name, button);
    }
    this.element.append(...this.made.values());
  }

  /** They always answer, if only with a reason: so they are never quite disabled. */
  draw(stateOf: (spot: string) => SpotState, isUnaided: boolean): void {
    for (const [name, button] of this.made) {
      const { isTarget, isChosen } = stateOf(name);
      button.ariaPressed = String(isChosen);
      button.classList.toggle("idle", !isTarget && !isUnaided);
    }
  }
}
