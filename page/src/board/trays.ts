/** What lies beside the board in trays: a caption with a count, and the pieces in a row. */

import { type Symbols, html, svg } from "./dom";
import type { Layout, View } from "./types";

const BOX = "-52 -52 104 104";

export class Trays {
  readonly element = html("div", "trays");
  private readonly rows = new Map<string, { caption: HTMLElement; pieces: HTMLElement }>();

  constructor(
    private readonly layout: Layout,
    private readonly symbols: Symbols,
    columns: number,
  ) {
    this.element.dataset.columns = String(columns);
    for (const name of Object.keys(layout.trays ?? {})) {
      const [caption, pieces] = [html("div", "caption"), html("div", "pieces")];
      pieces.ariaHidden = "true"; // the caption counts them
      this.rows.set(name, { caption, pieces });
      this.element.append(html("div", "tray", caption, pieces));
    }
  }

  draw(view: View): void {
    const { trays = {} } = view;
    this.element.hidden = Object.keys(trays).length === 0;
    for (const [name, { caption, pieces }] of this.rows) {
      const stack = trays[name] ?? [];
      pieces.parentElement!.hidden = !(name in trays); // not needed any more
      caption.textContent = captionOf(this.layout.trays![name]!, stack);
      stack.forEach((piece, at) => this.lay(pieces, piece, at));
      while (pieces.childElementCount > stack.length) pieces.lastElementChild!.remove();
    }
  }

  /** What lies there already stays. */
  private lay(pieces: HTMLElement, name: string, at: number): void {
    const old = pieces.children[at] as HTMLElement | undefined;
    if (old?.dataset.piece === name) return;
    const made = this.piece(name);
    if (old) old.replaceWith(made);
    else pieces.append(made);
  }

  private piece(name: string): HTMLElement {
    const picture = svg("svg", { viewBox: BOX }, this.symbols.use(name, { x: 0, y: 0 }));
    const made = html("span", "", picture);
    made.dataset.piece = name;
    return made;
  }

  /** Where a piece of a tray is drawn, or where it would be. */
  find(tray: string, at: number): DOMRect | undefined {
    const pieces = this.rows.get(tray)?.pieces;
    const piece = pieces?.children[at] ?? pieces?.lastElementChild;
    return (piece?.firstElementChild ?? pieces)?.getBoundingClientRect();
  }

  pieceAt(tray: string, at: number): Element | undefined {
    return this.rows.get(tray)?.pieces.children[at];
  }
}

/** Different pieces can be told apart; equal ones are counted. */
export function captionOf(caption: string, pieces: string[]): string {
  const isCounted = new Set(pieces).size < pieces.length;
  return isCounted ? `${caption} · ${pieces.length}` : caption;
}
