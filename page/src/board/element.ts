/** `<roundel-board>`: the board for pages that know nothing of it.
 *
 * Set its properties `layout`, `look` and `state`; it sends events named `action`, `path`, `reason`
 * and `change` with what was chosen as their `detail`. */

import { Board } from "./board";
import type { Layout, Look, State, View } from "./types";

export class RoundelBoard extends HTMLElement {
  board: Board | null = null;
  /** Asked for what an action would lead to. */
  preview: ((action: string) => Promise<View | null>) | null = null;
  private parts: { layout?: Layout; look?: Look; state?: State } = {};

  set layout(layout: Layout) {
    this.parts.layout = layout;
    this.rebuild();
  }

  set look(look: Look) {
    this.parts.look = look;
    this.rebuild();
  }

  set state(state: State) {
    this.parts.state = state;
    if (this.board) this.board.update(state);
    else this.rebuild();
  }

  connectedCallback(): void {
    this.rebuild();
  }

  disconnectedCallback(): void {
    this.board?.destroy();
    this.board = null;
  }

  private rebuild(): void {
    const { layout, look, state } = this.parts;
    if (!this.isConnected || !layout || !look) return;
    this.board?.destroy();
    this.board = new Board(this, layout, look, {
      onaction: (action) => this.send("action", action),
      onpath: (path) => this.send("path", path),
      onreason: (spot) => this.send("reason", spot),
      onchange: (path, next, waiting) => this.send("change", { path, next, waiting }),
      onpreview: async (action) => (await this.preview?.(action)) ?? null,
    });
    if (state) this.board.update(state);
  }

  private send(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

if (!customElements.get("roundel-board")) customElements.define("roundel-board", RoundelBoard);
