/** Drawing: layers from the board up to the places that can be touched. */

import { type Keyed, Layer, Symbols, html, set, spotLook, svg } from "./dom";
import { type Frame, type Label, edgeLabels, frame, trail } from "./frame";
import type { Plan, Point } from "./plan";
import type { Look, State, View } from "./types";

const LABEL_SIZE = 27; // font sizes
const NAME_SIZE = 15;
const CAPTION_SIZE = 24;
const COUNT_SIZE = 20;
const MANY_TARGETS = 24; // first choices that need not be pointed at loudly
const LAYERS = ["board", "spots", "pieces", "labels", "names", "marks", "targets", "ghosts", "flyers", "hits"] as const;
type Name = (typeof LAYERS)[number];

/** The names of what is drawn on one spot, from below, and how many of each. */
export function looks(look: Look, stack: string[]): [string, number][] {
  const groups: [string, number][] = [];
  for (const piece of stack) {
    const top = groups.at(-1);
    if (top?.[0] === piece) top[1] += 1;
    else groups.push([piece, 1]);
  }
  return groups.map(([name, count], i) => {
    const isHidden = i + 1 < groups.length && `${name}-under` in look.pieces;
    return [isHidden ? `${name}-under` : name, count];
  });
}

export class Scene {
  readonly element = svg("svg", { class: "scene", preserveAspectRatio: "xMidYMid meet" });
  readonly symbols: Symbols;
  readonly layers: Record<Name, Layer>;
  /** Moved as a whole when another part of the plane is shown. */
  readonly picture = html("div", "picture", this.element);
  shown: string[] = [];
  /** In pixels; set from outside, because measuring would make the browser lay out twice. */
  width = 600;
  box: Frame = { x: 0, y: 0, width: 1, height: 1 };
  private pieces = new Map<string, string>(); // by spot, their key in the layer

  constructor(private readonly look: Look) {
    this.symbols = new Symbols(look);
    const made = LAYERS.map((name) => [name, new Layer(name)] as const);
    this.layers = Object.fromEntries(made) as Record<Name, Layer>;
    this.element.append(this.symbols.defs, ...made.map(([, layer]) => layer.element));
  }

  draw(plan: Plan, state: State, wanted: Iterable<string>): void {
    const { view, last = [], hint = [], highlight = [], coordinates = true } = state;
    const pointed = [...last, ...hint, ...highlight];
    this.shown = plan.crop(Object.keys(view.pieces), [...pointed, ...wanted]);
    const isEdged = coordinates && this.look.labels !== "inside";
    const edges = isEdged ? edgeLabels(plan, this.shown) : [];
    this.box = frame(plan, this.shown, edges);
    const { x, y, width, height } = this.box;
    set(this.element, "viewBox", [x, y, width, height].map((n) => n.toFixed(1)).join(" "));
    this.picture.style.aspectRatio = `${width.toFixed(1)} / ${height.toFixed(1)}`;
    this.drawBoard(plan);
    this.drawPieces(plan, view);
    this.drawEdges(plan, edges);
    this.drawNames(plan, view, coordinates);
    this.drawMarks(plan, state);
  }

  private drawBoard(plan: Plan): void {
    const segments = (plan.layout.lines ?? []).map(([from, to]) => line(plan.at(from), plan.at(to)));
    const d = segments.join("");
    const lines: Keyed = [d, () => svg("path", { d, class: "lines" })];
    const ground: Keyed = [plan.turning, () => this.ground(plan.turning)];
    this.layers.board.draw(d ? [ground, lines] : [ground]);
    const drawn = this.shown.filter((name) => spotLook(this.look, plan.kinds.get(name)!));
    this.layers.spots.draw(
      drawn.map((name) => this.used(`spot-${plan.kinds.get(name)}`, plan.at(name))),
    );
  }

  private ground(transform: string): SVGGElement {
    const made = svg("g", { transform });
    made.innerHTML = this.symbols.own(this.look.board);
    return made;
  }

  private used(name: string, at: Point, scale = 1, className = ""): Keyed {
    const make = () => {
      const made = this.symbols.use(name, at, scale);
      if (className) made.setAttribute("class", className);
      return made;
    };
    return [[className, name, at.x.toFixed(1), at.y.toFixed(1), scale].join(" "), make];
  }

  private drawPieces(plan: Plan, view: View): void {
    const stacks = Object.entries(view.pieces).filter(([spot]) => plan.kinds.has(spot));
    const key = (spot: string, stack: string[]) =>
      [spot, plan.at(spot).x.toFixed(1), plan.at(spot).y.toFixed(1), ...stack].join(" ");
    this.pieces = new Map(stacks.map(([spot, stack]) => [spot, key(spot, stack)]));
    this.layers.pieces.draw(
      stacks.map(([spot, stack]) => [this.pieces.get(spot)!, () => this.stack(plan, spot, stack)]),
    );
  }

  /** The pieces on a spot; several of the same are one with a count. */
  stack(plan: Plan, spot: string, stack: string[]): SVGGElement {
    const [drawn, scale, at] = [this.looks(stack), plan.scale(spot), plan.at(spot)];
    const group = svg("g", { "data-on": spot });
    group.append(...drawn.map(([name]) => this.symbols.use(name, at, scale)));
    const beside = { x: at.x + 62 * scale, y: at.y + 56 * scale }; // rows may be close
    for (const [, count] of drawn) {
      const [, make] = text(`×${count}`, beside, COUNT_SIZE);
      if (count > 1) group.append(make());
    }
    return group;
  }

  looks(stack: string[]): [string, number][] {
    return looks(this.look, stack);
  }

  pieceAt(spot: string): SVGElement | undefined {
    return this.layers.pieces.get(this.pieces.get(spot) ?? "");
  }

  /** Small screens get larger letters, as far as there is room. */
  private size(size: number, pixels: number, most: number): number {
    return Math.min(Math.max(size, (pixels * this.box.width) / this.width), most);
  }

  private drawEdges(plan: Plan, edges: Label[]): void {
    const [size, caption] = [this.size(LABEL_SIZE, 11, 38), this.size(CAPTION_SIZE, 11, 34)];
    this.layers.labels.draw([
      ...plan.labels.map(({ text: own, x, y }) => text(own, { x, y: y + 8 }, caption, { class: "own" })),
      ...edges.map((label) => text(label.text, { x: label.x, y: label.y + size / 3 }, size)),
    ]);
  }

  private drawNames(plan: Plan, view: View, coordinates: boolean): void {
    const isNamed = coordinates && this.look.labels === "inside";
    const named = isNamed ? this.shown.filter((name) => plan.gridded.has(name)) : [];
    const size = this.size(NAME_SIZE, 8.5, 19);
    this.layers.names.draw(named.map((name) => this.name(plan, view, name, size)));
  }

  /** The name of a spot inside it, in a colour that can be read on what lies there. */
  private name(plan: Plan, view: View, name: string, size: number): Keyed {
    const { x, y } = plan.at(name);
    const ground = view.pieces[name]?.[0];
    const fill = ground ? `var(--name-${ground}, var(--name))` : "var(--name)";
    return text(name, { x, y: y + 43 }, size, { fill });
  }

  private mark(plan: Plan, spot: string, name: "mark" | "target", className: string): Keyed {
    return this.used(name, plan.at(spot), plan.scale(spot), className);
  }

  private drawMarks(plan: Plan, { view, last = [], hint = [], highlight = [] }: State): void {
    const marks = (spots: string[], className: string) =>
      spots.filter((spot) => plan.kinds.has(spot)).map((spot) => this.mark(plan, spot, "mark", className));
    const arrow = (points: string, className: string): Keyed => [
      `${className} ${points}`,
      () => svg("polygon", { points, class: className }),
    ];
    this.layers.marks.draw([
      ...marks(last, "last"),
      ...trail(plan, last, view.pieces).map((points) => arrow(points, "way")),
      ...marks(highlight, "highlight"),
      ...marks(hint, "hint"),
      ...trail(plan, hint, {}).map((points) => arrow(points, "way hint")),
    ]);
  }

  /** What can be chosen, and what is: a dot where nothing lies, an outline around what does. */
  drawTargets(plan: Plan, view: View, { next, chosen }: { next: string[]; chosen: string[] }): void {
    const onBoard = (spots: string[]) => spots.filter((spot) => plan.kinds.has(spot));
    const quiet = next.length > MANY_TARGETS ? " many" : "";
    const first = chosen.length ? "target" : `target first${quiet}`;
    const target = (spot: string) =>
      view.pieces[spot]
        ? this.mark(plan, spot, "mark", `${first} around`)
        : this.mark(plan, spot, "target", first);
    this.layers.targets.draw([
      ...onBoard(next.filter((spot) => !chosen.includes(spot))).map(target),
      ...onBoard(chosen).map((spot) => this.mark(plan, spot, "mark", "chosen")),
    ]);
  }
}

function text(content: string, { x, y }: Point, size: number, more = {}): Keyed {
  const looks = { x: x.toFixed(1), y: y.toFixed(1), "font-size": size.toFixed(1), ...more };
  return [[content, ...Object.values(looks)].join(" "), () => svg("text", looks, content)];
}

function line(from: Point, to: Point): string {
  return `M${from.x.toFixed(1)} ${from.y.toFixed(1)}L${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
}

