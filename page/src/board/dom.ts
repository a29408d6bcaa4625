/** Making SVG elements, and what they share in one board. */

import type { Point } from "./plan";
import type { Look, Palette } from "./types";

const SVG = "http://www.w3.org/2000/svg";

type Attributes = Record<string, string | number>;

export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

export function html<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.className = className;
  made.append(...children);
  return made;
}

/** Nothing is written that is there already: the browser would work it out again. */
export function set(element: Element, attribute: string, value: string): void {
  if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
}

/** An element by a key that tells all of its looks. */
export type Keyed = [key: string, make: () => SVGElement];

/** A part of a picture of which only what changed is made anew. */
export class Layer {
  readonly element: SVGGElement;
  private kept = new Map<string, SVGElement>();

  constructor(name: string) {
    this.element = svg("g", { class: name });
  }

  draw(wanted: Keyed[]): void {
    const kept = new Map(wanted.map(([key, make]) => [key, this.kept.get(key) ?? make()]));
    for (const [key, element] of this.kept) if (kept.get(key) !== element) element.remove();
    let next = this.element.firstElementChild;
    for (const element of kept.values()) {
      if (element === next) next = next.nextElementSibling;
      else this.element.insertBefore(element, next);
    }
    this.kept = kept;
  }

  get(key: string): SVGElement | undefined {
    return this.kept.get(key);
  }
}

export function translate({ x, y }: Point, scale = 1): string {
  const moved = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
  return scale === 1 ? moved : `${moved} scale(${scale})`;
}

let boards = 0;

/** The looks as definitions: each is added when it is first used, with ids of this board alone. */
export class Symbols {
  readonly defs = svg("defs");
  private readonly prefix = `board-${++boards}-`;
  private readonly known = new Set<string>();

  constructor(private readonly look: Look) {
    this.defs.innerHTML = this.own(look.defs);
  }

  own(fragment: string): string {
    return fragment.replaceAll("@", this.prefix);
  }

  use(name: string, place: Point, scale = 1): SVGUseElement {
    if (!this.known.has(name)) this.define(name);
    return svg("use", { href: `#${this.prefix}${name}`, transform: translate(place, scale) });
  }

  private define(name: string): void {
    const { look } = this;
    const spot = name.startsWith("spot-") ? spotLook(look, name.slice(5)) : undefined;
    const own = name === "mark" || name === "target" ? look[name] : undefined;
    const group = svg("g", { id: this.prefix + name });
    group.innerHTML = this.own(look.pieces[name] ?? spot ?? own ?? unknown(name));
    this.defs.append(group);
    this.known.add(name);
  }
}

/** A piece without a look shows its first letters. */
export function unknown(name: string): string {
  const letters = name.split("-").map((word) => word[0] ?? "").join("").slice(0, 3);
  const escaped = letters.replace(/[<>&"]/g, "");
  return `<circle r="36" fill="var(--panel)" stroke="var(--ink)" stroke-width="4"/>
    <text y="10" font-size="28" text-anchor="middle" fill="var(--ink)">${escaped}</text>`;
}

const sheets = new Map<string, string>();

export const spotLook = (look: Look, kind: string): string => look.spots[kind] ?? look.spot;

/** The palettes as rules, once for each look: a theme is the attribute `data-theme`, on the board
 * or on anything around it. Gives the value of `data-look`. */
export function paint(palettes: Record<string, Palette>): string {
  const key = JSON.stringify(palettes);
  const known = sheets.get(key);
  if (known) return known;
  const name = `look-${sheets.size + 1}`;
  sheets.set(key, name);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules(name, palettes));
  document.adoptedStyleSheets.push(sheet);
  return name;
}

export function rules(name: string, palettes: Record<string, Palette>): string {
  const colours = (theme: string) =>
    Object.entries(palettes[theme] ?? {})
      .map(([key, value]) => `--${key}:${value}`)
      .concat(`color-scheme:${theme === "dark" ? "dark" : "light"}`)
      .join(";");
  const here = `[data-look="${name}"]`;
  const themed = Object.keys(palettes).map(
    (theme) => `:where([data-theme="${theme}"]) ${here}{${colours(theme)}}`,
  );
  const own = Object.keys(palettes).map(
    (theme) => `${here}[data-theme="${theme}"]{${colours(theme)}}`,
  );
  const dark = `@media (prefers-color-scheme:dark){${here}{${colours("dark")}}}`;
  return [`${here}{${colours("light")}}`, dark, ...themed, ...own].join("\n");
}
