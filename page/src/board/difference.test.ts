import { describe, expect, it } from "vitest";
import { type PlacedPiece, changeCount, difference } from "./difference";
import { rules, unknown } from "./dom";
import { alike, changed } from "./preview";
import { looks } from "./scene";
import { captionOf } from "./trays";
import type { Look, View } from "./types";

const distanceBetween = (from: PlacedPiece, to: PlacedPiece) => Math.abs(from.place.charCodeAt(0) - to.place.charCodeAt(0));
const between = (before: View, now: View) => difference(before, now, distanceBetween);
const ends = ({ from, to }: { from: PlacedPiece; to: PlacedPiece }) => `${from.place}>${to.place}`;

describe("difference", () => {
  it("is nothing between equal views", () => {
    const view = { pieces: { a: ["x", "y"] }, trays: { t: ["x"] } };
    expect(changeCount(between(view, structuredClone(view)))).toBe(0);
  });

  it("lets a piece glide, and what it leaves behind come", () => {
    const found = between({ pieces: { a: ["ring"] } }, { pieces: { a: ["marker"], d: ["ring"] } });
    expect(found.moves.map(ends)).toEqual(["a>d"]);
    expect(found.added.map((placed) => placed.piece)).toEqual(["marker"]);
    expect(found.removed).toEqual([]);
  });

  it("turns pieces where they lie, even if their colours would cross", () => {
    const before = { pieces: { a: ["ring"], b: ["white"], c: ["black"] } };
    const now = { pieces: { a: ["white"], b: ["black"], c: ["white"], d: ["ring"] } };
    const found = between(before, now);
    expect(found.moves.map(ends)).toEqual(["a>d"]);
    expect(found.turns.map(ends)).toEqual(["b>b", "c>c"]);
    expect(found.added).toHaveLength(1);
  });

  it("glides onto what is taken, and what is taken goes to its tray", () => {
    const before = { pieces: { a: ["tile", "white"], b: ["tile", "black"] }, trays: { held: [] } };
    const now = { pieces: { a: ["tile"], b: ["tile", "white"] }, trays: { held: ["black"] } };
    const found = between(before, now);
    expect(found.moves.map(ends).sort()).toEqual(["a>b", "b>held"]);
    expect(found.turns).toEqual([]);
  });

  it("takes the nearest of equal pieces, and one of many from a stack", () => {
    const near = between({ pieces: { a: ["x"], c: ["x"] } }, { pieces: { d: ["x"], a: ["x"] } });
    expect(near.moves.map(ends)).toEqual(["c>d"]);
    const far = between({ pieces: { a: ["x"], c: ["x"] } }, { pieces: { d: ["x"] } });
    expect([far.moves.map(ends), far.removed.map(({ place }) => place)]).toEqual([["c>d"], ["a"]]);
    const stack = between({ pieces: { s: ["x", "x", "x"] } }, { pieces: { s: ["x", "x"], a: ["x"] } });
    expect(stack.moves.map(({ from, to }) => [from.at, to.place])).toEqual([[2, "a"]]);
  });

  it("turns nothing in a tray", () => {
    const found = between({ pieces: {}, trays: { t: ["x"] } }, { pieces: {}, trays: { t: ["y"] } });
    expect([found.turns, found.removed.length, found.added.length]).toEqual([[], 1, 1]);
  });

  it("tells what left for good", () => {
    const found = between({ pieces: { a: ["x"] }, trays: {} }, { pieces: {} });
    expect(found.removed).toEqual([{ piece: "x", place: "a", tray: false, at: 0 }]);
  });
});

describe("previews", () => {
  it("concern the spots that would change", () => {
    const before = { pieces: { a: ["x"], b: ["x"], c: ["x"] } };
    const after = { pieces: { a: ["x"], b: ["y"], d: ["x"] } };
    expect(changed(before, after).sort()).toEqual(["b", "c", "d"]);
  });

  it("leave alone what stays below", () => {
    expect(alike([["tile", 1]], [["tile", 1], ["disc", 1]])).toBe(1);
    expect(alike([["x", 3]], [["x", 2]])).toBe(0);
    expect(alike([["tile", 1], ["disc", 1]], [["tile", 1]])).toBe(1);
  });
});

describe("looks", () => {
  const look = { pieces: { back: "", "back-under": "", stone: "" } } as unknown as Look;

  it("of equal pieces are one with a count, and what lies below may look different", () => {
    expect(looks(look, ["stone", "stone"])).toEqual([["stone", 2]]);
    expect(looks(look, ["back", "stone"])).toEqual([["back-under", 1], ["stone", 1]]);
    expect(looks(look, ["back"])).toEqual([["back", 1]]);
  });

  it("of trays count only what is equal", () => {
    expect(captionOf("stones", ["s", "s"])).toBe("stones · 2");
    expect(captionOf("score", ["+50", "7"])).toBe("score");
    expect(captionOf("none", [])).toBe("none");
  });

  it("of unknown pieces are their letters, and never markup", () => {
    expect(unknown("big-red-disc")).toContain(">brd</text>");
    expect(unknown("<-&")).toContain("></text>");
  });

  it("have their colours in every theme", () => {
    const css = rules("look-1", { light: { ink: "#000" }, dark: { ink: "#fff" } });
    expect(css).toContain('[data-look="look-1"]{--ink:#000;color-scheme:light}');
    expect(css).toContain(':where([data-theme="dark"]) [data-look="look-1"]{--ink:#fff;color-scheme:dark}');
  });
});
