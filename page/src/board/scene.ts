/** Drawing: layers from the board up to the places that can be touched. */

import { Symbols, svg } from "./dom";
import { type Frame, type Label, edgeLabels, frame, trail } from "./frame";
import type { Plan, Point } from "./plan";
import type { Look, State, View } from "./types";

const LABEL = 27; // font sizes
const SMALL = 15;
const CAPTION = 24;
const COUNT = 20;
const MANY = 24; // first choices that need not be pointed at loudly
const LAYERS = ["board", "spots", "pieces", "labels", "names", "marks", "targets", "ghosts", "flyers", "hits"] as const;
type Layer = (typeof LAYERS)[number];

/** The names of what is drawn on one spot, from below, and how many of each. */
export function looks(look: Look, stack: string[]): [string, number][] {
  const groups: [string, number][] = [];
  for (const piece of stack) {
    const top = groups.at(-1);
    if (top?.[0] === piece) top[1] += 1;
    else groups.push([piece, 1]);
  }
  return groups.map(([name, many], i) => {
    const isHidden = i + 1 < groups.length && `${name}-under` in look.pieces;
    return [isHidden ? `${name}-under` : name, many];
  });
}

export class Scene {
  readonly element = svg("svg", { class: "scene", preserveAspectRatio: "xMidYMid meet" });
  readonly symbols: Symbols;
  readonly layers: Record<Layer, SVGGElement>;
  readonly root = svg("g");
  shown: string[] = [];
  /** In pixels; told from outside, because measuring would make the browser lay out twice. */
  width = 600;
  box: Frame = { x: 0, y: 0, width: 1, height: 1 };
  private readonly pieces = new Map<string, SVGGElement>();

  constructor(private readonly look: Look) {
    this.symbols = new Symbols(look);
    const made = LAYERS.map((name) => [name, svg("g", { class: name })] as const);
    this.layers = Object.fromEntries(made) as Record<Layer, SVGGElement>;
    this.root.append(...Object.values(this.layers));
    this.element.append(this.symbols.defs, this.root);
  }

  draw(plan: Plan, state: State, wanted: Iterable<string>): void {
    const { view, last = [], hint = [], highlight = [], coordinates = true } = state;
    const pointed = [...last, ...hint, ...highlight];
    this.shown = plan.crop([...Object.keys(view.pieces), ...pointed, ...wanted]);
    const isEdged = coordinates && this.look.labels !== "inside";
    const edges = isEdged ? edgeLabels(plan, this.shown) : [];
    this.box = frame(plan, this.shown, edges);
    const { x, y, width, height } = this.box;
    this.element.setAttribute("viewBox", [x, y, width, height].map((n) => n.toFixed(1)).join(" "));
    this.drawBoard(plan);
    this.drawPieces(plan, view);
    this.drawEdges(plan, edges);
    this.drawNames(plan, view, coordinates);
    this.drawMarks(plan, state);
  }

  private drawBoard(plan: Plan): void {
    const { board, spots } = this.layers;
    const ground = svg("g", { transform: plan.turning });
    ground.innerHTML = this.symbols.own(this.look.board);
    const ways = (plan.layout.lines ?? []).map(([from, to]) => line(plan.at(from), plan.at(to)));
    const lines = svg("path", { d: ways.join(""), class: "lines" });
    board.replaceChildren(ground, ...(ways.length ? [lines] : []));
    const drawn = this.shown.filter((name) => this.look.spots[plan.kinds.get(name)!]);
    spots.replaceChildren(
      ...drawn.map((name) => this.symbols.use(`spot-${plan.kinds.get(name)}`, plan.at(name))),
    );
  }

  private drawPieces(plan: Plan, view: View): void {
    this.pieces.clear();
    for (const [spot, stack] of Object.entries(view.pieces))
      if (plan.kinds.has(spot)) this.pieces.set(spot, this.stack(plan, spot, stack));
    this.layers.pieces.replaceChildren(...this.pieces.values());
  }

  /** The pieces on a spot; several of the same are one with a count. */
  stack(plan: Plan, spot: string, stack: string[]): SVGGElement {
    const [found, scale, at] = [this.looks(stack), plan.scale(spot), plan.at(spot)];
    const group = svg("g", { "data-on": spot });
    group.append(...found.map(([name]) => this.symbols.use(name, at, scale)));
    const beside = { x: at.x + 68 * scale, y: at.y + 52 * scale }; // rows may be close
    for (const [, many] of found) if (many > 1) group.append(text(`×${many}`, beside, COUNT));
    return group;
  }

  looks(stack: string[]): [string, number][] {
    return looks(this.look, stack);
  }

  pieceAt(spot: string): SVGGElement | undefined {
    return this.pieces.get(spot);
  }

  /** Small screens get larger letters, as far as there is room. */
  private size(size: number, pixels: number, most: number): number {
    return Math.min(Math.max(size, (pixels * this.box.width) / this.width), most);
  }

  private drawEdges(plan: Plan, edges: Label[]): void {
    const [size, caption] = [this.size(LABEL, 11, 38), this.size(CAPTION, 11, 34)];
    this.layers.labels.replaceChildren(
      ...plan.labels.map(({ text: own, x, y }) => text(own, { x, y: y + 8 }, caption, "own")),
      ...edges.map((label) => text(label.text, { x: label.x, y: label.y + size / 3 }, size)),
    );
  }

  private drawNames(plan: Plan, view: View, coordinates: boolean): void {
    const isNamed = coordinates && this.look.labels === "inside";
    const named = isNamed ? this.shown.filter((name) => plan.gridded.has(name)) : [];
    const size = this.size(SMALL, 8.5, 19);
    this.layers.names.replaceChildren(...named.map((name) => this.name(plan, view, name, size)));
  }

  /** The name of a spot inside it, in a colour that can be read on what lies there. */
  private name(plan: Plan, view: View, name: string, size: number): SVGTextElement {
    const { x, y } = plan.at(name);
    const made = text(name, { x, y: y + 43 }, size);
    const ground = view.pieces[name]?.[0];
    made.setAttribute("fill", ground ? `var(--name-${ground}, var(--name))` : "var(--name)");
    return made;
  }

  mark(plan: Plan, spot: string, name: "mark" | "target", className: string): SVGUseElement {
    const made = this.symbols.use(name, plan.at(spot), plan.scale(spot));
    made.setAttribute("class", className);
    return made;
  }

  private drawMarks(plan: Plan, { view, last = [], hint = [], highlight = [] }: State): void {
    const marks = (spots: string[], className: string) =>
      spots.filter((spot) => plan.kinds.has(spot)).map((spot) => this.mark(plan, spot, "mark", className));
    const ways = trail(plan, last, view.pieces).map((points) => svg("polygon", { points, class: "way" }));
    const hinted = trail(plan, hint, {}).map((points) => svg("polygon", { points, class: "way hint" }));
    this.layers.marks.replaceChildren(
      ...marks(last, "last"),
      ...ways,
      ...marks(highlight, "highlight"),
      ...marks(hint, "hint"),
      ...hinted,
    );
  }

  /** What can be chosen, and what is: a dot where nothing lies, an outline around what does. */
  drawTargets(plan: Plan, view: View, { next, chosen }: { next: string[]; chosen: string[] }): void {
    const onBoard = (spots: string[]) => spots.filter((spot) => plan.kinds.has(spot));
    const many = next.length > MANY ? " many" : "";
    const first = chosen.length ? "target" : `target first${many}`;
    const target = (spot: string) =>
      view.pieces[spot]
        ? this.mark(plan, spot, "mark", `${first} around`)
        : this.mark(plan, spot, "target", first);
    this.layers.targets.replaceChildren(
      ...onBoard(next.filter((spot) => !chosen.includes(spot))).map(target),
      ...onBoard(chosen).map((spot) => this.mark(plan, spot, "mark", "chosen")),
    );
  }
}

export function text(content: string, { x, y }: Point, size: number, className = ""): SVGTextElement {
  const at = { x: x.toFixed(1), y: y.toFixed(1), "font-size": size.toFixed(1) };
  return svg("text", className ? { ...at, class: className } : at, content);
}

function line(from: Point, to: Point): string {
  return `M${from.x.toFixed(1)} ${from.y.toFixed(1)}L${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
}

