import { expect, test } from "vitest";
import type { Look, View } from "../board";
import { spotLabels, spotName } from "./aloud";

const LOOK = { names: { "disc-red": "red disc" } } as unknown as Look;
const VIEW: View = { pieces: { a1: ["disc-red"], "p1-red": ["disc-red", "disc-red"] } };
const LAYOUT = { spots: { ok: { x: 0, y: 0, kind: "button", label: "Done" } } };

test("a spot is called as people would call it", () => {
  const name = (spot: string) => spotName(spot, LAYOUT, LOOK, VIEW);
  expect(name("a1")).toBe("a1");
  expect(name("p1-red")).toBe("red disc");
  expect(name("p2-red")).toBe("p2-red");
  expect(name("ok")).toBe("Done");
});

test("what lies on a spot is told aloud, equal pieces as their number", () => {
  const plain = { isTarget: false, isChosen: false, isLast: false };
  const aloud = (spot: string, more = {}) => spotLabels(LOOK)({ spot, pieces: VIEW.pieces[spot] ?? [], ...plain, ...more });
  expect(aloud("a1")).toBe("a1, red disc");
  expect(aloud("p1-red", { isTarget: true })).toBe("p1-red, 2 × red disc, can be chosen");
  expect(aloud("b1", { isLast: true })).toBe("b1, empty, last move");
});
