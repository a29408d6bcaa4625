// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LOOK as PLAIN } from "../testing/look";
import { Board } from "./board";
import type { Layout, Look, State, View } from "./types";

/** Four places in a row, 100 apart, and a button. */
const LAYOUT: Layout = {
  spots: {
    a1: { x: 0, y: 0, kind: "cell" },
    b1: { x: 1, y: 0, kind: "cell" },
    c1: { x: 2, y: 0, kind: "cell" },
    d1: { x: 3, y: 0, kind: "cell" },
    pass: { x: 4, y: 0, kind: "button", label: "Pass" },
  },
  trays: { taken: "Taken" },
};
const LOOK: Look = {
  ...PLAIN,
  pieces: { white: "<circle/>", black: "<circle/>" },
  palettes: { light: { ink: "#000" } },
};
const PATHS = { a1: { b1: "a1-b1", c1: "a1-c1" }, d1: { c1: "d1-c1" }, pass: "pass" };
const VIEW: View = { pieces: { a1: ["white"], d1: ["white"] }, trays: { taken: [] } };
const STATE: State = { view: VIEW, ply: 0, paths: PATHS, animate: false, confirm: false };
const ELSEWHERE = 900; // no spot is near

const events = {
  onaction: vi.fn(),
  onpath: vi.fn(),
  onreason: vi.fn(),
  onchange: vi.fn(),
  onannounce: vi.fn(),
  onpreview: vi.fn<(action: string) => Promise<View | null>>(),
};
let host: HTMLElement;
let board: Board;
let resized: () => void;

const all = (selector: string): Element[] => [...host.querySelectorAll(selector)];
const count = (selector: string): number => all(selector).length;
const scene = (): SVGSVGElement => host.querySelector<SVGSVGElement>("svg.scene")!;
const spot = (name: string): SVGElement => host.querySelector<SVGElement>(`g[data-spot="${name}"]`)!;
const button = (): HTMLButtonElement => host.querySelector<HTMLButtonElement>("button[data-spot=pass]")!;
const piece = (name: string): Element | null => host.querySelector(`.pieces [data-on="${name}"]`);
const path = (): string[] => events.onchange.mock.lastCall![0] as string[];
const waiting = (): string | null => events.onchange.mock.lastCall![2] as string | null;
const x = (name: string): number => ["a1", "b1", "c1", "d1"].indexOf(name) * 100;
/** Where something is drawn along the row. */
const place = (element: Element): number => Number(/translate\(([-\d.]+)/.exec(element.getAttribute("transform") ?? "")?.[1]);
const places = (selector: string): number[] => all(selector).map(place).sort((a, b) => a - b);

function pointer(type: string, clientX: number, more: PointerEventInit = {}): void {
  const init = { clientX, clientY: 0, pointerId: 1, isPrimary: true, button: 0, pointerType: "mouse", bubbles: true, detail: 1, ...more };
  scene().dispatchEvent(new PointerEvent(type, init));
}
const click = (name: string, pointerType = "mouse"): void => pointer("click", x(name), { pointerType });
function drag(from: string, to: number): void {
  pointer("pointerdown", x(from));
  pointer("pointermove", x(from) + 20);
  pointer("pointermove", to);
  pointer("pointerup", to);
  pointer("click", to); // as browsers do
}
function press(key: string, target: Element = host.querySelector("g[tabindex='0']")!, more: KeyboardEventInit = {}): boolean {
  return target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
}
const update = (more: Partial<State> = {}): void => board.update({ ...STATE, ...more });

beforeEach(() => {
  vi.useFakeTimers();
  for (const event of Object.values(events)) event.mockReset();
  vi.spyOn(SVGSVGElement.prototype as SVGGraphicsElement, "getScreenCTM").mockReturnValue(null); // pixels are units
  vi.stubGlobal("ResizeObserver", class {
    constructor(run: () => void) {
      resized = run;
    }
    observe(): void {}
    disconnect(): void {}
  });
  host = document.createElement("div");
  document.body.append(host);
  board = new Board(host, LAYOUT, LOOK, events);
  update();
});
afterEach(() => {
  board.destroy();
  host.remove();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

// -- Drawing ----------------------------------------------------------------------

test("pieces stand where the view has them, and go where the next one has them", () => {
  const kept = piece("d1");
  expect([piece("a1"), piece("b1")].map(Boolean)).toEqual([true, false]);
  expect(place(piece("a1")!.firstElementChild!)).toBe(0);
  update({ view: { pieces: { b1: ["white", "black"], d1: ["white"] } }, ply: 1 });
  expect([piece("a1"), piece("b1")].map(Boolean)).toEqual([false, true]);
  expect([...piece("b1")!.children].map((one) => [place(one), one.getAttribute("href")!.split("-").at(-1)])).toEqual([
    [100, "white"], [100, "black"],
  ]);
  expect(piece("d1")).toBe(kept);
});

test("a tray shows and counts what lies in it, and is gone when the view has none", () => {
  update({ view: { ...VIEW, trays: { taken: ["black", "black"] } } });
  expect(count(".tray [data-piece=black]")).toBe(2);
  expect(host.querySelector(".caption")!.textContent).toBe("Taken · 2");
  update({ view: { ...VIEW, trays: { taken: ["black"] } } });
  expect(count(".tray [data-piece=black]")).toBe(1);
  update({ view: { pieces: {} } });
  expect(host.querySelector<HTMLElement>(".trays")!.hidden).toBe(true);
});

test("another piece in a tray is drawn, and a tray that is not needed any more is gone", () => {
  board.destroy();
  board = new Board(host, { ...LAYOUT, trays: { taken: "Taken", stock: "Stock" } }, LOOK, events);
  const shown = () => all(".tray:not([hidden])").map((tray) => [
    tray.firstElementChild!.textContent, ...[...tray.querySelectorAll("[data-piece]")].map((one) => one.getAttribute("data-piece")),
  ]);
  update({ view: { pieces: {}, trays: { taken: ["black", "white"], stock: ["white"] } } });
  update({ view: { pieces: {}, trays: { taken: ["white", "white"], stock: [] } } });
  expect(shown()).toEqual([["Taken · 2", "white", "white"], ["Stock"]]);
  update({ view: { pieces: {}, trays: { taken: ["white"] } } });
  expect(shown()).toEqual([["Taken", "white"]]);
});

test("a piece that moved glides, unless animation is off or nothing was drawn before", () => {
  const animate = vi.spyOn(Element.prototype, "animate").mockImplementation(() => ({ cancel() {} }) as Animation);
  const moved = { pieces: { b1: ["white"], d1: ["white"] } };
  update({ view: moved, ply: 1 });
  expect(animate).not.toHaveBeenCalled();
  update({ ply: 2, animate: true });
  expect(animate).toHaveBeenCalledTimes(2); // one flies, the one that it becomes waits
  expect(places(".flyers use")).toEqual([0]);
  update({ view: moved, ply: 3 });
  expect(count(".flyers use")).toBe(0);
});

/** What is animated, of which piece; `finish` is its end. */
function animations() {
  const made: { of: string; frames: Keyframe[]; delay: number; cancel: () => void; finish: () => void }[] = [];
  vi.spyOn(Element.prototype, "animate").mockImplementation(function (this: Element, frames, options) {
    const animation = { cancel: vi.fn() } as unknown as Animation;
    const of = `${this.closest(".flyers") ? "flying " : ""}${this.getAttribute("href")?.split("-").at(-1) ?? ""}`;
    const { delay = 0 } = options as KeyframeAnimationOptions;
    const finish = () => animation.onfinish!({} as AnimationPlaybackEvent);
    made.push({ of, frames: frames as Keyframe[], delay, cancel: animation.cancel, finish });
    return animation;
  });
  return made;
}
const at = (left: number, scale = 1): string => `translate(${left.toFixed(1)}px, 0.0px) scale(${scale.toFixed(3)})`;
const GONE = { opacity: 0 };

test("what moved flies from where it was to where it is, and the next state breaks it off", () => {
  const made = animations();
  update({ view: { pieces: { b1: ["white"], d1: ["white"] } }, ply: 1, animate: true });
  expect(made.map(({ of, frames }) => [of, frames])).toEqual([
    ["flying white", [{ transform: at(0) }, { transform: at(100) }]],
    ["white", [GONE, GONE]],
  ]);
  made[0]!.finish();
  expect(count(".flyers use")).toBe(0);
  update({ view: { pieces: { b1: ["white"], d1: ["white"] } }, ply: 1 });
  for (const { cancel } of made) expect(cancel).toHaveBeenCalledOnce();
});

test("what comes fades in, what goes fades out, and what is turned shows one side, then the other", () => {
  const made = animations();
  update({ view: { pieces: { a1: ["black"], c1: ["black"] } }, ply: 1, animate: true });
  const [open, closed] = [{ transform: `${at(0)} scaleX(1)` }, { transform: `${at(0)} scaleX(.05)` }];
  expect(made.map(({ of, frames }) => [of, frames])).toEqual([
    ["flying white", [open, closed]],
    ["black", [closed, open]],
    ["black", [GONE, GONE]],
    ["flying white", [{ transform: at(300), opacity: 1 }, { transform: at(300, 1.25), opacity: 0 }]],
    ["black", [GONE, { opacity: 1 }]],
  ]);
  expect(made.map(({ delay }) => delay > 0)).toEqual([false, true, false, false, false]);
});

test("what is captured flies into its tray, where it waits until it is there", () => {
  const made = animations();
  vi.spyOn(SVGSVGElement.prototype as SVGGraphicsElement, "getScreenCTM").mockReturnValue(new DOMMatrix());
  vi.spyOn(SVGSVGElement.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
    const before = this.parentElement!.previousElementSibling ? 1 : 0;
    return { x: 400 + 20 * before, y: -10, width: 20, height: 20 } as DOMRect;
  });
  update({ view: { pieces: { d1: ["white"] }, trays: { taken: ["white", "black"] } }, ply: 1, animate: true });
  expect(made.map(({ of, frames }) => [of, frames])).toEqual([
    ["flying white", [{ transform: at(0) }, { transform: at(410, 0.52) }]],
    ["", [GONE, GONE]],
    ["", [GONE, { opacity: 1 }]], // the black one
  ]);
});

test("a piece comes from the board rather than from a tray, from which it may vanish unseen", () => {
  update({ view: { pieces: { d1: ["white"] }, trays: { taken: ["white"] } } });
  const made = animations();
  update({ view: { pieces: { b1: ["white"] }, trays: { taken: [] } }, ply: 1, animate: true });
  expect(made.map(({ of, frames }) => [of, frames])).toEqual([
    ["flying white", [{ transform: at(300) }, { transform: at(100) }]],
    ["white", [GONE, GONE]],
  ]);
});

test("of a stack only what arrived waits for its flight", () => {
  update({ view: { pieces: { a1: ["white"], b1: ["black"] } } });
  const made = animations();
  update({ view: { pieces: { b1: ["black", "white"] } }, ply: 1, animate: true });
  expect(made.map(({ of }) => of)).toEqual(["flying white", "white"]);
});

test("another position altogether is just shown", () => {
  const made = animations();
  const trays = (count: number) => ({ ...VIEW, trays: { taken: Array<string>(count).fill("black") } });
  update({ view: trays(61), ply: 1, animate: true });
  expect(made).toEqual([]);
  update({ view: trays(0), ply: 2 });
  update({ view: trays(60), ply: 3, animate: true });
  expect(made).toHaveLength(60);
});

test("while the board is turned nothing flies", () => {
  const made = animations();
  const moved = { pieces: { b1: ["white"], d1: ["white"] } };
  update({ view: moved, ply: 1, turned: 1, animate: true });
  expect(made).toEqual([]);
  expect(count(".flyers *")).toBe(0);
  expect(place(piece("b1")!.firstElementChild!)).toBe(200);
});

test("of a board that is cropped, the picture begins where it was and grows to what is shown next", () => {
  board.destroy();
  const letters = [..."abcdefghijkl"];
  const spots = Object.fromEntries(letters.map((letter, x) => [`${letter}1`, { x, y: 0, kind: "cell" }]));
  board = new Board(host, { spots }, { ...LOOK, crop: "near" }, events);
  const matrix = { a: 2, inverse: () => new DOMMatrix() } as DOMMatrix; // two pixels for a unit
  vi.spyOn(SVGSVGElement.prototype as SVGGraphicsElement, "getScreenCTM").mockReturnValue(matrix);
  const show = (...names: string[]) => {
    const pieces = Object.fromEntries(names.map((name) => [name, ["white"]]));
    update({ view: { pieces }, paths: null, ply: names.length, coordinates: false, animate: true });
  };
  show("a1"); // a1 to b1, with room: 700 wide around 50
  const made = animations();
  const moves = () => made.splice(0).flatMap(({ frames }) => (frames[1]!.transform === "none" ? [frames[0]!.transform] : []));
  show("a1", "b1"); // around 100
  expect(moves()).toEqual(["translate(100.0px, 0.0px) scale(1.000)"]);
  show("a1", "b1", "l1"); // 1256 wide around 550
  expect(moves()).toEqual(["translate(1614.9px, 0.0px) scale(1.794)"]);
  show("a1", "b1", "k1", "l1");
  expect(moves()).toEqual([]);
});

test("nothing is animated at first, nor for those who want less motion", () => {
  const made = animations();
  board.destroy();
  board = new Board(host, LAYOUT, LOOK, events);
  update({ animate: true });
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: query.includes("reduced-motion") }));
  update({ view: { pieces: { b1: ["white"] } }, ply: 1, animate: true });
  expect(made).toEqual([]);
});

test("the last action and a hint show their way, with a head where a piece arrived", () => {
  update({ view: { pieces: { b1: ["white"] } }, last: ["a1", "b1"], hint: ["d1", "c1"] });
  const corners = (selector: string) => all(selector).map((way) => way.getAttribute("points")!.split(" ").length);
  expect(corners(".marks polygon.way:not(.hint)")).toEqual([8]);
  expect(corners(".marks polygon.way.hint")).toEqual([4]);
  expect(spot("a1").getAttribute("aria-label")).toBe("a1, empty, can be chosen, last move");
});

test("equal pieces on a spot are one with a count", () => {
  update({ view: { pieces: { a1: ["white", "white"], b1: ["black", "white", "white", "white"], c1: ["white"] } } });
  const shown = ["a1", "b1", "c1"].map((name) => [piece(name)!.querySelectorAll("use").length, piece(name)!.textContent]);
  expect(shown).toEqual([[1, "×2"], [2, "×3"], [1, ""]]);
});

test("another piece in the same place is drawn, and every piece turns with the board", () => {
  const drawn = () => piece("a1")!.firstElementChild!;
  update({ turned: 1 });
  expect(place(drawn())).toBe(300);
  update({ view: { pieces: { a1: ["black"] } }, turned: 1 });
  expect(drawn().getAttribute("href")!.split("-").at(-1)).toBe("black");
});

test("of a board that is cropped, what is marked or can be chosen is shown too", () => {
  board.destroy();
  board = new Board(host, LAYOUT, { ...LOOK, crop: "near" }, events);
  const shown = () => all("g[data-spot]").map((one) => one.getAttribute("data-spot"));
  const alone = { view: { pieces: { a1: ["white"] } }, paths: null };
  update({ ...alone, last: ["d1"] });
  expect(shown()).toContain("d1");
  update({ ...alone, paths: { d1: "d1" } });
  expect(shown()).toContain("d1");
  update(alone);
  expect(shown()).not.toContain("d1");
});

test("coordinates stand at the edges or inside, unless they are off; a board's own texts stay", () => {
  const written = (selector: string) => all(selector).map((one) => one.textContent).sort();
  const own = { ...LAYOUT, labels: [{ text: "Blue", x: 1, y: -1 }] };
  for (const labels of ["edges", "inside"] as const) {
    board.destroy();
    board = new Board(host, own, { ...LOOK, labels }, events);
    update({ view: { pieces: { a1: ["white", "black"] } } });
    expect(written(".names text")).toEqual(labels === "inside" ? ["a1", "b1", "c1", "d1"] : []);
    expect(count(".labels text:not(.own)") > 0).toBe(labels === "edges");
    const fills = all(".names text").filter((one) => one.textContent === "a1").map((one) => one.getAttribute("fill"));
    expect(fills).toEqual(labels === "inside" ? ["var(--name-white, var(--name))"] : []);
    update({ coordinates: false });
    expect([written(".names text"), written(".labels text")]).toEqual([[], ["Blue"]]);
  }
});

test("the last action, hints and what is pointed at are marked, buttons are not", () => {
  update({ last: ["a1", "pass"], hint: ["b1"], highlight: ["c1", "d1"] });
  expect(places(".marks use.last")).toEqual([0]);
  expect(places(".marks use.hint")).toEqual([100]);
  expect(places(".marks use.highlight")).toEqual([200, 300]);
});

test("a board that is turned and one in a mirror show the row from its other end", () => {
  expect(place(spot("a1"))).toBe(0);
  update({ turned: 1 });
  expect(place(spot("a1"))).toBe(300);
  update({ turned: 1, flipped: true });
  expect(place(spot("a1"))).toBe(0);
  update({ flipped: true });
  expect(place(spot("a1"))).toBe(300);
  pointer("click", 0);
  expect(path()).toEqual(["d1"]);
});

test("what stands beside the board goes under it on a narrow screen", () => {
  board.destroy();
  const beside = { ...LAYOUT, spots: { ...LAYOUT.spots, stock: { x: 5, y: 0, kind: "stock" } } };
  board = new Board(host, beside, LOOK, events);
  update();
  expect(place(spot("stock"))).toBe(500);
  vi.spyOn(host, "getBoundingClientRect").mockReturnValue({ width: 400 } as DOMRect);
  resized();
  expect(place(spot("stock"))).toBe(150);
  vi.spyOn(host, "getBoundingClientRect").mockReturnValue({ width: 800 } as DOMRect);
  resized();
  expect(place(spot("stock"))).toBe(500);
  vi.spyOn(host, "getBoundingClientRect").mockReturnValue({ width: 400 } as DOMRect);
  resized();
  expect(place(spot("stock"))).toBe(150);
});

test("a board is called what its host is called", () => {
  expect(scene().getAttribute("aria-label")).toBe("Roundel");
  host.ariaLabel = "The board of Anna";
  update();
  expect(scene().getAttribute("aria-label")).toBe("The board of Anna");
});

// -- Targets ----------------------------------------------------------------------

test("what can be chosen is marked: first the beginnings, then what can follow", () => {
  expect(places(".targets .target")).toEqual([0, 300]);
  expect(all(".spot.choosable").map((one) => one.getAttribute("data-spot"))).toEqual(["a1", "d1"]);
  expect(button().classList.contains("idle")).toBe(false);
  click("a1");
  expect(places(".targets .target")).toEqual([100, 200]);
  expect(places(".targets .chosen")).toEqual([0]);
  expect(spot("a1").getAttribute("aria-pressed")).toBe("true");
  expect(button().classList.contains("idle")).toBe(true);
});

test("what can be chosen is pointed at, pieces with an outline", () => {
  expect([places(".targets .around"), places(".targets .first")]).toEqual([[0, 300], [0, 300]]);
  expect(count(".targets .many")).toBe(0); // few need not be quiet
  click("a1");
  expect([count(".targets .around"), count(".targets .first")]).toEqual([0, 0]);
});

test("a chosen spot is marked as chosen, even if it can be chosen once more", () => {
  update({ paths: { a1: { a1: "stay", b1: "a1-b1" } } });
  click("a1");
  expect([places(".targets .target"), places(".targets .chosen")]).toEqual([[100], [0]]);
  click("a1");
  expect(events.onaction.mock.calls).toEqual([["stay"]]);
});

test("only pieces that begin something longer can be dragged", () => {
  update({ view: { pieces: { a1: ["white"], c1: ["black"] } }, paths: { ...PATHS, c1: "c1" } });
  expect(all(".spot.draggable").map((one) => one.getAttribute("data-spot"))).toEqual(["a1"]);
});

// -- Clicks -----------------------------------------------------------------------

test("clicks complete an action, and each step is reported", () => {
  click("a1");
  expect(events.onchange).toHaveBeenLastCalledWith(["a1"], ["b1", "c1"], null);
  expect(events.onannounce).toHaveBeenLastCalledWith("a1, white, chosen");
  expect(events.onaction).not.toHaveBeenCalled();
  click("c1");
  expect(events.onaction.mock.calls).toEqual([["a1-c1"]]);
  expect(path()).toEqual([]);
});

test("a button completes an action at once, also where taps are confirmed", () => {
  update({ confirm: true });
  button().click();
  expect(events.onaction.mock.calls).toEqual([["pass"]]);
});

test("a click without a place, as screen readers make it, chooses the element's spot", () => {
  spot("a1").dispatchEvent(new MouseEvent("click", { clientX: 300, bubbles: true, detail: 0 }));
  expect(path()).toEqual(["a1"]);
});

test("a click on another beginning begins anew", () => {
  click("a1");
  click("d1");
  expect(path()).toEqual(["d1"]);
  expect(places(".targets .chosen")).toEqual([300]);
  click("c1");
  expect(events.onaction.mock.calls).toEqual([["d1-c1"]]);
});

test("a second click on what is chosen, one beside the board and Escape take it back", () => {
  const take = [() => click("a1"), () => pointer("click", ELSEWHERE), () => press("Escape"), () => board.cancel()];
  for (const undo of take) {
    click("a1");
    expect(path()).toEqual(["a1"]);
    undo();
    expect(path()).toEqual([]);
    expect(count(".targets .chosen")).toBe(0);
    expect(places(".targets .target")).toEqual([0, 300]);
  }
  expect(events.onaction).not.toHaveBeenCalled();
  expect(events.onreason).not.toHaveBeenCalled();
});

test("an impossible click is reported, and takes back what was chosen", () => {
  click("d1");
  click("b1");
  expect(events.onreason.mock.calls).toEqual([["b1"]]);
  expect(path()).toEqual([]);
});

test("on a touch screen an action waits for a second tap, or for its confirmation", () => {
  update({ confirm: undefined as unknown as boolean });
  click("a1", "touch");
  click("b1", "touch");
  expect(waiting()).toBe("a1-b1");
  expect(events.onaction).not.toHaveBeenCalled();
  expect(count(".targets .target")).toBe(0);
  click("c1", "touch"); // another end
  expect([path(), waiting()]).toEqual([["a1", "c1"], "a1-c1"]);
  click("d1", "touch"); // another beginning
  expect([path(), waiting()]).toEqual([["d1"], null]);
  click("a1", "touch");
  click("c1", "touch");
  click("c1", "touch");
  expect(events.onaction.mock.calls).toEqual([["a1-c1"]]);
  update({ ply: 1, confirm: true });
  click("a1");
  board.confirm(); // nothing waits for it
  click("b1");
  board.confirm();
  expect(events.onaction.mock.lastCall).toEqual(["a1-b1"]);
  expect(waiting()).toBeNull();
  board.confirm();
  expect(events.onaction).toHaveBeenCalledTimes(2);
});

test("with a mouse nothing waits, unless the page wants it", () => {
  update({ confirm: undefined as unknown as boolean });
  click("a1");
  click("b1");
  expect(events.onaction.mock.calls).toEqual([["a1-b1"]]);
});

test("a typed action is played, another text is not", () => {
  expect(board.type("a1 c1")).toBe(true);
  expect(events.onaction.mock.calls).toEqual([["a1-c1"]]);
  update({ ply: 1 });
  expect(board.type("c1")).toBe(false);
  update({ paths: null });
  expect(board.type("a1 c1")).toBe(false);
  expect(events.onaction).toHaveBeenCalledTimes(1);
});

test("a click between two spots is meant for the one that can be chosen, or is chosen", () => {
  click("d1");
  pointer("click", 145); // nearer to b1 than to c1, where it can go
  expect(events.onaction.mock.calls).toEqual([["d1-c1"]]);
  update({ ply: 1 });
  click("d1");
  pointer("click", 55); // nearer to b1 than to a1, another beginning
  expect(path()).toEqual(["a1"]);
  update({ ply: 2, paths: { a1: { b1: { d1: "a1-b1-d1" } } } });
  click("a1");
  click("b1");
  pointer("click", 155); // nearer to c1 than to b1, which is taken back
  expect(path()).toEqual([]);
  expect(events.onreason).not.toHaveBeenCalled();
});

test("with a pointer the place counts, not the element that it hits", () => {
  spot("b1").dispatchEvent(new MouseEvent("click", { clientX: 55, bubbles: true, detail: 1 }));
  expect(path()).toEqual(["a1"]);
});

test("a button is not pressed by a click on the board", () => {
  pointer("click", 400); // where the layout has it
  expect(events.onaction).not.toHaveBeenCalled();
});

test("of a board that is cropped, what is not shown cannot be clicked", () => {
  board.destroy();
  board = new Board(host, LAYOUT, { ...LOOK, crop: "near" }, events);
  update({ view: { pieces: { a1: ["white"] } }, paths: null });
  for (const name of ["b1", "d1"]) click(name);
  expect(events.onreason.mock.calls).toEqual([["b1"]]);
});

// -- What comes meanwhile ---------------------------------------------------------

test("an action that was sent leaves nothing to choose until the next state", () => {
  click("a1");
  click("b1");
  expect(count(".targets .target")).toBe(0);
  expect(board.type("a1-b1")).toBe(false);
  board.confirm();
  expect(events.onaction).toHaveBeenCalledTimes(1);
  update();
  expect(places(".targets .target")).toEqual([0, 300]);
});

test("a refused action brings back what could be chosen", () => {
  click("a1");
  click("b1");
  board.cancel();
  expect(places(".targets .target")).toEqual([0, 300]);
  expect(places(".targets .chosen")).toEqual([]);
  expect(path()).toEqual([]);
  click("a1");
  expect(path()).toEqual(["a1"]);
});

test("what is chosen stays when nothing changes that matters, and goes with another position", () => {
  click("a1");
  update({ hint: ["b1"], turned: 2 });
  expect(places(".targets .chosen")).toEqual([0]);
  for (const other of [{ ply: 1 }, { view: { pieces: { a1: ["white"] } } }, { paths: { a1: "a1" } }]) {
    click("a1");
    update(other);
    expect(count(".targets .chosen")).toBe(0);
    update();
  }
});

// -- When it is not my turn -------------------------------------------------------

test("without paths nothing can be chosen, and every click is answered with a reason", () => {
  update({ paths: null });
  expect(count(".targets .target") + count(".spot.choosable") + count(".spot.draggable")).toBe(0);
  click("a1");
  drag("a1", x("b1"));
  press("Enter", spot("d1"));
  button().click();
  expect(events.onreason.mock.calls.flat()).toEqual(["a1", "b1", "d1", "pass"]);
  expect(events.onaction).not.toHaveBeenCalled();
  expect(path()).toEqual([]);
});

test("a disabled board is a picture: nothing in it can be focused, chosen or asked about", () => {
  events.onchange.mockClear();
  update({ ply: 1, disabled: true });
  expect(scene().getAttribute("role")).toBe("img");
  expect(count("[data-spot] circle") + count(".targets .target")).toBe(0);
  expect(button().parentElement!.hidden).toBe(true);
  click("a1");
  drag("a1", x("b1"));
  pointer("pointermove", 0);
  button().click();
  vi.advanceTimersByTime(1000);
  for (const event of [events.onaction, events.onreason, events.onannounce, events.onpreview]) expect(event).not.toHaveBeenCalled();
  update();
  expect(scene().getAttribute("role")).toBe("application");
  expect(count("g[data-spot]")).toBe(4);
});

test("a board that is disabled and enabled in the same position offers what can be chosen", () => {
  click("a1");
  update({ disabled: true });
  expect(count(".targets *")).toBe(0);
  pointer("pointermove", 100);
  vi.advanceTimersByTime(1000);
  expect(board.type("a1 b1")).toBe(false);
  expect(events.onpreview).not.toHaveBeenCalled();
  update();
  expect(places(".targets .target")).toEqual([0, 300]);
  click("a1");
  click("b1");
  expect(events.onaction.mock.calls).toEqual([["a1-b1"]]);
});

test("when the match is over the buttons are gone", () => {
  expect(button().parentElement!.hidden).toBe(false);
  update({ over: true, paths: null });
  expect(button().parentElement!.hidden).toBe(true);
});

// -- Dragging ---------------------------------------------------------------------

test("a drag from a piece to a target is an action, and the click that ends it is none", () => {
  drag("a1", x("b1"));
  expect(events.onaction.mock.calls).toEqual([["a1-b1"]]);
  expect(events.onreason).not.toHaveBeenCalled();
});

test("a piece that was chosen by a click can be dragged as well, the topmost one", () => {
  update({ view: { pieces: { a1: ["black", "white"] } } });
  click("a1");
  pointer("pointerdown", 0);
  pointer("pointermove", 50);
  expect(host.querySelector(".carried")!.getAttribute("href")!.endsWith("white")).toBe(true);
  pointer("pointermove", 100);
  pointer("pointerup", 100);
  expect(events.onaction.mock.calls).toEqual([["a1-b1"]]);
  expect(events.onreason).not.toHaveBeenCalled();
});

test("a carried piece follows the pointer, and leaves its place until it is dropped", () => {
  pointer("pointerdown", 0);
  pointer("pointermove", 6);
  expect(count(".carried")).toBe(0); // a tap may tremble
  pointer("pointermove", 50);
  pointer("pointermove", 80);
  expect(places(".flyers .carried")).toEqual([80]);
  expect(piece("a1")!.classList.contains("lifted")).toBe(true);
  expect(scene().classList.contains("dragging")).toBe(true);
  expect(path()).toEqual(["a1"]);
  pointer("pointerup", ELSEWHERE);
  expect([count(".carried"), count(".lifted"), count(".dragging")]).toEqual([0, 0, 0]);
  expect(path()).toEqual(["a1"]);
  expect(events.onaction).not.toHaveBeenCalled();
});

test("a drag that is broken off, or ends where it began, plays nothing", () => {
  drag("a1", 3);
  expect(path()).toEqual(["a1"]);
  pointer("pointerdown", 0);
  pointer("pointermove", 100);
  pointer("pointercancel", 100);
  expect([count(".carried"), count(".lifted")]).toEqual([0, 0]);
  expect(events.onaction).not.toHaveBeenCalled();
  expect(events.onreason).not.toHaveBeenCalled();
});

test("after a drag every click counts, whether the drag ended with one or not", () => {
  drag("a1", 3);
  click("b1");
  expect(events.onaction.mock.calls).toEqual([["a1-b1"]]);
  update({ ply: 1 });
  pointer("pointerdown", 0);
  pointer("pointermove", 50);
  pointer("pointerup", ELSEWHERE); // beside the board: no click follows
  pointer("pointerdown", 100);
  pointer("pointerup", 100);
  click("b1");
  expect(events.onaction).toHaveBeenCalledTimes(2);
});

test("a carried piece is followed beyond the board", () => {
  const capture = vi.spyOn(Element.prototype, "setPointerCapture");
  pointer("pointerdown", 0);
  expect(capture).not.toHaveBeenCalled(); // it may become a tap
  pointer("pointermove", 50);
  expect(capture.mock.calls).toEqual([[1]]);
});

test("a finger that may drag a piece does not scroll the page, any other does", () => {
  for (const [name, isDrag] of [["a1", true], ["b1", false]] as const) {
    pointer("pointerdown", x(name), { pointerType: "touch" });
    const scroll = new Event("touchmove", { bubbles: true, cancelable: true });
    expect([name, !scene().dispatchEvent(scroll)]).toEqual([name, isDrag]);
    pointer("pointerup", x(name), { pointerType: "touch" });
  }
});

test("other buttons and fingers drag nothing, nor does a spot that cannot be lifted", () => {
  for (const more of [{ button: 2 }, { isPrimary: false }]) {
    pointer("pointerdown", 0, more);
    pointer("pointermove", 50);
    expect(count(".carried")).toBe(0);
  }
  pointer("pointerdown", 100);
  pointer("pointermove", 150);
  expect(count(".carried")).toBe(0);
  pointer("pointerdown", 0);
  pointer("pointermove", 50, { pointerId: 2 });
  expect(count(".carried")).toBe(0);
});

// -- Keys -------------------------------------------------------------------------

test("arrow keys walk, Enter and the space bar choose", () => {
  spot("a1").focus();
  press("Enter", spot("a1"));
  expect(path()).toEqual(["a1"]);
  expect(press("ArrowRight")).toBe(false); // the page does not scroll
  expect(document.activeElement).toBe(spot("b1"));
  expect(all("g[tabindex='0']")).toEqual([spot("b1")]);
  press("ArrowLeft");
  press("ArrowRight");
  press(" ");
  expect(events.onaction.mock.calls).toEqual([["a1-b1"]]);
});

test("arrow keys walk in all four directions", () => {
  board.destroy();
  const corners = { a1: [0, 1], b1: [1, 1], a2: [0, 0], b2: [1, 0] };
  const spots = Object.entries(corners).map(([name, [x, y]]) => [name, { x, y, kind: "cell" }]);
  board = new Board(host, { spots: Object.fromEntries(spots) }, LOOK, events);
  update({ view: { pieces: {} }, paths: null });
  spot("a1").focus();
  press("Enter", spot("a1")); // lines begin here
  for (const [key, name] of [["Up", "a2"], ["Right", "b2"], ["Down", "b1"], ["Left", "a1"], ["Right", "b1"]] as const) {
    press(`Arrow${key}`);
    expect(document.activeElement).toBe(spot(name));
  }
});

test("on a board of hexagons a line comes back to itself, and a click begins another one", () => {
  board.destroy();
  const rows = [0, 1, 2].flatMap((row) => [0, 1, 2, 3].map((column) => ({ row, column })));
  const spots = rows.map(({ row, column }) => [`${"abcd"[column]}${row}`, { x: column + (row % 2) / 2, y: 0.87 * row, kind: "cell" }]);
  board = new Board(host, { spots: Object.fromEntries(spots) }, LOOK, events);
  update({ view: { pieces: {} }, paths: null });
  const walk = (from: string, ...keys: string[]) => {
    press("Enter", spot(from));
    for (const key of keys) press(key);
    return document.activeElement!.getAttribute("data-spot");
  };
  expect(walk("b2", "ArrowUp", "ArrowUp")).toBe("b0");
  expect(walk("d2", "ArrowUp")).toBe("c1");
});

test("small spots are not much harder to hit than others, and large ones are easier", () => {
  const radius = (scale: number) => {
    board.destroy();
    board = new Board(host, LAYOUT, { ...LOOK, scale: { cell: scale } }, events);
    update();
    return Number(spot("a1").firstElementChild!.getAttribute("r"));
  };
  expect(radius(0.5)).toBeGreaterThan(40);
  expect(radius(1.5)).toBe(72);
});

test("at the edge an arrow key does nothing, and the page does not scroll", () => {
  press("Enter", spot("a1"));
  for (const key of ["ArrowLeft", "ArrowUp"]) expect(press(key)).toBe(false);
  expect(all("g[tabindex='0']")).toEqual([spot("a1")]);
});

test("the tab key first stops in the middle, then at what was chosen last, and always somewhere", () => {
  const stops = () => all("g[tabindex='0']").map((one) => one.getAttribute("data-spot"));
  board.destroy();
  board = new Board(host, LAYOUT, { ...LOOK, crop: "near" }, events);
  update({ view: VIEW, unaided: true, paths: null });
  expect(stops()).toEqual(["c1"]);
  click("d1");
  button().click();
  expect(stops()).toEqual(["d1"]);
  update({ view: { pieces: { a1: ["white"] } }, unaided: true, paths: null }); // d1 is shown no more
  expect(stops()).toEqual(["b1"]);
});

test("keys with a modifier and unknown keys are the page's", () => {
  expect(press("Enter", spot("a1"), { ctrlKey: true })).toBe(true);
  expect(press("x", spot("a1"))).toBe(true);
  expect(press("Enter", scene())).toBe(true); // no spot has the focus
  expect(events.onannounce).not.toHaveBeenCalled();
});

// -- Unaided ----------------------------------------------------------------------

test("unaided, every click goes out with those before it, and nothing is marked or judged", () => {
  update({ unaided: true, paths: null });
  expect(count(".targets .target")).toBe(0);
  click("b1");
  click("a1");
  expect(events.onpath.mock.calls).toEqual([[["b1"]], [["b1", "a1"]]]);
  expect(places(".targets .chosen")).toEqual([0, 100]);
  expect(events.onreason).not.toHaveBeenCalled();
  expect(events.onaction).not.toHaveBeenCalled();
});

test("unaided, a second click takes a spot back and is not sent; a button can be pressed again", () => {
  update({ unaided: true, paths: null });
  click("b1");
  click("a1");
  click("b1");
  expect(path()).toEqual(["a1"]);
  expect(events.onpath).toHaveBeenCalledTimes(2);
  expect(button().classList.contains("idle")).toBe(false);
  button().click();
  button().click();
  expect(events.onpath.mock.lastCall).toEqual([["a1", "pass", "pass"]]);
});

test("unaided, nothing can be dragged, and a refused click clears the clicks", () => {
  update({ unaided: true });
  click("a1");
  pointer("pointerdown", 0);
  pointer("pointermove", 50);
  expect(count(".carried") + count(".spot.draggable")).toBe(0);
  board.cancel();
  expect(path()).toEqual([]);
  click("b1");
  expect(events.onpath.mock.lastCall).toEqual([["b1"]]);
});

test("unaided, a click is meant for the nearest spot, whatever was chosen", () => {
  update({ unaided: true, paths: null });
  click("b1");
  pointer("click", 155);
  expect(path()).toEqual(["b1", "c1"]);
});

// -- Previews ---------------------------------------------------------------------

test("what an action would lead to is asked for once, and laid over the board while it is pointed at", async () => {
  events.onpreview.mockResolvedValue({ pieces: { b1: ["white"], d1: ["white"] } });
  click("a1");
  pointer("pointermove", 100);
  await vi.advanceTimersByTimeAsync(100);
  expect(events.onpreview.mock.calls).toEqual([["a1-b1"]]);
  expect(count(".ghosts [data-on=b1] use")).toBe(1);
  expect(piece("a1")!.querySelectorAll(".faded").length).toBe(1);
  pointer("pointermove", ELSEWHERE);
  expect(count(".ghosts *") + count(".faded")).toBe(0);
  pointer("pointermove", 100);
  await vi.advanceTimersByTimeAsync(100);
  expect(events.onpreview).toHaveBeenCalledTimes(1);
  expect(count(".ghosts [data-on=b1]")).toBe(1);
  update({ ply: 1 });
  expect(count(".ghosts *")).toBe(0);
  click("a1");
  pointer("pointermove", 100);
  await vi.advanceTimersByTimeAsync(100);
  expect(events.onpreview).toHaveBeenCalledTimes(2); // in another position it may lead elsewhere
});

test("what waits for its confirmation is shown until it is taken back", async () => {
  events.onpreview.mockResolvedValue({ pieces: { b1: ["white"], d1: ["white"] } });
  update({ confirm: true });
  click("a1");
  click("b1");
  await vi.advanceTimersByTimeAsync(100);
  expect(count(".ghosts [data-on=b1]")).toBe(1);
  board.cancel();
  expect(count(".ghosts *") + count(".faded")).toBe(0);
});

test("a preview is asked for by the keyboard too, and not any more for what was played", async () => {
  events.onpreview.mockResolvedValue(null);
  click("a1");
  spot("c1").focus();
  await vi.advanceTimersByTimeAsync(100);
  expect(events.onpreview.mock.calls).toEqual([["a1-c1"]]);
  pointer("pointermove", 100);
  click("b1");
  await vi.advanceTimersByTimeAsync(100);
  expect(events.onpreview).toHaveBeenCalledTimes(1);
});

test("what waits for its confirmation is shown again after another one was pointed at", async () => {
  events.onpreview.mockImplementation((action) => Promise.resolve({ pieces: { [action.slice(-2)]: ["white"], d1: ["white"] } }));
  update({ confirm: true });
  click("a1");
  click("b1");
  for (const [at, shown] of [[200, "c1"], [ELSEWHERE, "b1"]] as const) {
    pointer("pointermove", at);
    await vi.advanceTimersByTimeAsync(100);
    expect(all(".ghosts [data-on]").map((ghost) => ghost.getAttribute("data-on")).sort()).toEqual(["a1", shown]);
  }
});

test("a preview goes when the mouse leaves the board; a finger that passes asks for none", async () => {
  events.onpreview.mockResolvedValue({ pieces: { b1: ["white"], d1: ["white"] } });
  click("a1");
  pointer("pointermove", 100, { pointerType: "touch" });
  await vi.advanceTimersByTimeAsync(100);
  expect(events.onpreview).not.toHaveBeenCalled();
  pointer("pointermove", 100);
  await vi.advanceTimersByTimeAsync(100);
  pointer("pointermove", 105);
  expect(count(".ghosts [data-on=b1]")).toBe(1);
  pointer("pointerleave", ELSEWHERE);
  expect(count(".ghosts *")).toBe(0);
});

test("a spot that the mouse only passes is not asked about", async () => {
  click("a1");
  pointer("pointermove", 100);
  pointer("pointermove", ELSEWHERE);
  await vi.advanceTimersByTimeAsync(100);
  expect(events.onpreview).not.toHaveBeenCalled();
});

test("of stacks only what would leave fades, and only what would come is laid over them", async () => {
  events.onpreview.mockResolvedValue({ pieces: { a1: ["black"], b1: ["black", "white"] } });
  update({ view: { pieces: { a1: ["black", "white"], b1: ["black"] } } });
  click("a1");
  pointer("pointermove", 100);
  await vi.advanceTimersByTimeAsync(100);
  const pieces = (selector: string) => all(selector).map((one) => one.getAttribute("href")!.split("-").at(-1));
  expect([pieces(".pieces .faded"), pieces(".ghosts use")]).toEqual([["white"], ["white"]]);
  const outlines = all(".ghosts circle").map((one) => [one.getAttribute("cx"), one.classList.contains("leaves")]);
  expect(outlines).toEqual([["0", true], ["100", false]]);
});

test("a mouse that cannot lift anything still points", async () => {
  events.onpreview.mockResolvedValue(null);
  click("a1");
  pointer("pointerdown", 200); // nothing lies on c1
  pointer("pointermove", 150);
  pointer("pointermove", 100);
  await vi.advanceTimersByTimeAsync(100);
  expect(events.onpreview.mock.calls).toEqual([["a1-b1"]]);
});

test("a preview that could not be had is asked for again", async () => {
  events.onpreview.mockRejectedValueOnce(new Error("no connection")).mockResolvedValue({ pieces: { b1: ["white"] } });
  click("a1");
  for (const shown of [0, 1]) {
    pointer("pointermove", ELSEWHERE);
    pointer("pointermove", 100);
    await vi.advanceTimersByTimeAsync(100);
    expect(count(".ghosts [data-on=b1]")).toBe(shown);
  }
});

test("a preview that comes too late is not shown", async () => {
  let answer: (view: View | null) => void = () => {};
  events.onpreview.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  click("a1");
  pointer("pointermove", 100);
  await vi.advanceTimersByTimeAsync(100);
  pointer("pointermove", ELSEWHERE);
  answer({ pieces: { b1: ["white"] } });
  await vi.advanceTimersByTimeAsync(100);
  expect(events.onpreview).toHaveBeenCalledTimes(1);
  expect(count(".ghosts *") + count(".faded")).toBe(0);
});

test("a drag that is broken off leaves no preview", async () => {
  events.onpreview.mockResolvedValue({ pieces: { b1: ["white"], d1: ["white"] } });
  pointer("pointerdown", 0);
  pointer("pointermove", 50);
  pointer("pointermove", 100);
  await vi.advanceTimersByTimeAsync(100);
  expect(count(".ghosts [data-on=b1]")).toBe(1);
  pointer("pointercancel", 100);
  expect(count(".ghosts *")).toBe(0);
});

test("a board that is taken away leaves nothing, and answers nothing", () => {
  const [picture, calls] = [scene(), events.onchange.mock.calls.length];
  board.destroy();
  expect([host.childElementCount, host.dataset.look]).toEqual([0, undefined]);
  picture.dispatchEvent(new PointerEvent("click", { clientX: 0, clientY: 0, detail: 1 }));
  expect(events.onchange).toHaveBeenCalledTimes(calls);
});
