import { describe, expect, it } from "vitest";
import { arrow, beyond, edgeLabels, frame, trail } from "./frame";
import { intendedSpot, neighbour } from "./near";
import { Plan, UNIT, innerStep, step } from "./plan";
import type { Layout, Look } from "./types";

const LOOK: Look = {
  pieces: {}, spots: { cell: "" }, spot: "", defs: "", board: "", mark: "", target: "", scale: {},
  labels: "edges", crop: "", tray_columns: 2, palettes: {},
};

/** A board of squares, with a button beneath it that is no place. */
function squares(columns: number, rows: number): Layout {
  const spots: Layout["spots"] = { ok: { x: 0, y: rows + 1, kind: "button" } };
  for (let x = 0; x < columns; x++)
    for (let y = 0; y < rows; y++)
      spots[`${"abcdefgh"[x]}${rows - y}`] = { x, y, kind: "cell" };
  return { spots };
}

/** A hexagon of hexagons, seven cells. */
function flower(): Layout {
  const spots: Layout["spots"] = { b2: { x: 0, y: 0, kind: "cell" } };
  ["b1", "a1", "a2", "b3", "c3", "c2"].forEach((name, i) => {
    const angle = (i * Math.PI) / 3;
    spots[name] = { x: Math.cos(angle), y: Math.sin(angle), kind: "cell" };
  });
  return { spots };
}

const points = (layout: Layout) => new Plan(layout, LOOK).grid();

describe("plan", () => {
  it("tells places from buttons", () => {
    const plan = new Plan(squares(2, 2), LOOK);
    expect(plan.buttons).toEqual(["ok"]);
    const looks: Look["spots"][] = [{}, { cell: "", button: "" }, { cell: "", button: "<rect/>" }];
    for (const spots of looks)
      expect(new Plan(squares(2, 2), { ...LOOK, spot: "", spots }).buttons).toEqual(["ok"]);
    expect([...plan.gridded.keys()].sort()).toEqual(["a1", "a2", "b1", "b2"]);
    expect(plan.at("b1")).toEqual({ x: UNIT, y: UNIT });
  });

  it("turns by the smallest step that the board allows", () => {
    expect(step(points(flower()))).toBe(60);
    expect(step(points(squares(3, 3)))).toBe(90);
    expect(step(points(squares(4, 3)))).toBe(180);
    expect(innerStep(points(squares(5, 3)))).toBe(90);
    expect(innerStep(points(flower()))).toBe(60);
  });

  it("puts every spot onto another one when it is turned", () => {
    const plan = new Plan(squares(3, 3), LOOK, { turned: 1 });
    expect(plan.at("a3").x).toBeCloseTo(2 * UNIT);
    expect(plan.at("a3").y).toBeCloseTo(0);
    const flipped = new Plan(squares(3, 3), LOOK, { flipped: true });
    expect(flipped.at("a3").x).toBeCloseTo(2 * UNIT);
    expect(flipped.at("a3").y).toBeCloseTo(0);
    const both = new Plan(squares(3, 3), LOOK, { turned: 1, flipped: true });
    expect(both.at("a3").x).toBeCloseTo(0);
    expect(both.at("a3").y).toBeCloseTo(0);
    expect(both.at("b3").x).toBeCloseTo(0);
    expect(both.turning).toBe("translate(200 0) scale(-1 1) rotate(90 100 100)");
  });

  it("puts what stands beside the board under it where there is little room", () => {
    const layout = squares(2, 2);
    layout.spots["p1-disc"] = { x: 4, y: 0, kind: "cell" };
    layout.spots["p2-disc"] = { x: 4, y: 1, kind: "cell" };
    const plan = new Plan(layout, LOOK, { narrow: true });
    expect(plan.at("p1-disc").x).toBeCloseTo(0.5 * UNIT);
    expect(plan.at("p1-disc").y).toBeGreaterThan(plan.at("a1").y + UNIT);
    expect(plan.at("p2-disc").y).toBeGreaterThan(plan.at("p1-disc").y);
  });

  it("keeps texts over the rows that they name", () => {
    const layout = { ...squares(2, 2), labels: [{ text: "Blue", x: 3.5, y: -0.5 }, { text: "Red", x: 3.5, y: 1.5 }] };
    [0, 1, 2].forEach((y) => (layout.spots[`p-${y}`] = { x: 4, y, kind: "cell" }));
    const plan = new Plan(layout, LOOK, { narrow: true });
    const rows = [0, 1, 2].map((y) => plan.at(`p-${y}`).y);
    expect(plan.labels.map(({ y }) => y)).toEqual([rows[0]! - 0.5 * UNIT, rows[2]! - 0.5 * UNIT]);
    expect(rows[2]! - rows[1]!).toBeGreaterThan(rows[1]! - rows[0]!);
  });

  it("crops to a box or to what is near", () => {
    const box = new Plan(squares(8, 8), { ...LOOK, crop: "box" });
    expect(box.crop(["b2"]).sort()).toEqual(["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]);
    const near = new Plan(squares(8, 8), { ...LOOK, crop: "near" });
    expect(near.crop(["b2"]).sort()).toEqual(["a2", "b1", "b2", "b3", "c2"]);
    expect(near.crop([])).toHaveLength(64);
    expect(box.crop(["b2"], ["c2"])).toEqual(box.crop(["b2"])); // what is there anyway changes nothing
    expect(near.crop(["b2"], ["c2"])).toEqual(near.crop(["b2"]));
    expect(near.crop(["b2"], ["h8"])).toContain("h8");
    expect(new Plan(squares(8, 8), LOOK).crop(["b2"])).toHaveLength(64);
  });
});

describe("frame", () => {
  it("holds every spot and every text", () => {
    const plan = new Plan(squares(3, 2), LOOK);
    const shown = plan.crop([]);
    const labels = edgeLabels(plan, shown);
    expect(labels.map((label) => label.text).sort()).toEqual(["1", "2", "a", "b", "c"]);
    const { x, y, width, height } = frame(plan, shown, labels);
    for (const point of [...labels, ...plan.grid()]) {
      expect(point.x).toBeGreaterThan(x + 30);
      expect(point.x).toBeLessThan(x + width - 30);
      expect(point.y).toBeGreaterThan(y + 30);
      expect(point.y).toBeLessThan(y + height - 30);
    }
  });

  it("stays square while a board grows", () => {
    const plan = new Plan(squares(8, 8), { ...LOOK, crop: "box" });
    const [small, large] = [["b2"], ["a1", "h2"]].map((wanted) => frame(plan, plan.crop(wanted), []));
    expect(small!.width).toBe(small!.height);
    expect(large!.width).toBe(large!.height);
    expect(large!.width).toBeGreaterThan(small!.width);
  });

  it("writes coordinates beyond the ends of lines, as the pictures do", () => {
    expect(beyond({ x: 100, y: 0 }, { x: 200, y: 0 })).toEqual({ x: 30, y: 0 });
  });

  it("draws bands, with a head where something arrived", () => {
    expect(arrow({ x: 0, y: 0 }, { x: 0, y: 0 }, true)).toBe("");
    expect(arrow({ x: 0, y: 0 }, { x: 100, y: 0 }, false)).toBe("0.0,4.5 100.0,4.5 100.0,-4.5 0.0,-4.5");
    const plan = new Plan(squares(3, 3), LOOK);
    const corners = (pieces: Record<string, string[]>) =>
      trail(plan, ["a1", "a3", "ok"], pieces).map((way) => way.split(" ").length);
    expect(corners({ a3: ["ring"] })).toEqual([8]);
    expect(corners({ a1: ["stone"], a3: ["stone"] })).toEqual([4]);
    expect(corners({})).toEqual([4]);
  });
});

describe("what is meant", () => {
  const plan = new Plan(squares(4, 4), LOOK);
  const all = plan.crop([]);
  const near = { x: 0.45 * UNIT, y: 3 * UNIT }; // nearer to a1 than to b1

  it("prefers what can be chosen", () => {
    expect(intendedSpot(plan, near, [], all)).toBe("a1");
    expect(intendedSpot(plan, near, ["b1"], all)).toBe("b1");
    expect(intendedSpot(plan, near, ["a1", "b1"], all)).toBe("a1");
  });

  it("is the spot itself when it is hit in its middle", () => {
    expect(intendedSpot(plan, { x: 5, y: 3 * UNIT }, ["b1"], all)).toBe("a1");
  });

  it("is the spot itself also where others are close", () => {
    const close = new Plan({ spots: { a1: { x: 0, y: 0, kind: "cell" }, b1: { x: 0.8, y: 0, kind: "cell" } } }, LOOK);
    expect(intendedSpot(close, { x: 15, y: 0 }, ["b1"], ["a1", "b1"])).toBe("a1");
    expect(intendedSpot(close, { x: 25, y: 0 }, ["b1"], ["a1", "b1"])).toBe("b1");
  });

  it("is nothing beside the board", () => {
    for (const away of [0.75, 2]) expect(intendedSpot(plan, { x: -away * UNIT, y: 3 * UNIT }, ["a1"], all)).toBeNull();
  });
});

describe("arrow keys", () => {
  it("walk to the next spot and stop at the edge", () => {
    const plan = new Plan(squares(3, 3), LOOK);
    const places = [...plan.gridded.keys()].map((name) => [name, plan.at(name)] as const);
    const go = (from: string, way: [number, number], goal: number) =>
      neighbour(places as never, plan.at(from), way, goal);
    expect(go("a1", [1, 0], 2 * UNIT)).toBe("b1");
    expect(go("a1", [0, -1], 0)).toBe("a2");
    expect(go("a1", [-1, 0], 2 * UNIT)).toBeNull();
  });

  it("rather go straight on than to a spot beside the line that is as near", () => {
    const places = [["b2", { x: 100, y: 100 }], ["c1", { x: 200, y: 0 }]] as [string, { x: number; y: number }][];
    expect(neighbour(places, { x: 0, y: 0 }, [1, 0], 0)).toBe("c1");
  });

  it("keep to their line on a board of hexagons", () => {
    const plan = new Plan(flower(), LOOK);
    const places = [...plan.gridded.keys()].map((name) => [name, plan.at(name)] as [string, typeof plan.centre]);
    expect(neighbour(places, plan.at("b2"), [1, 0], 0)).toBe("b1");
    const up = neighbour(places, plan.at("b2"), [0, -1], 0)!;
    expect(["c3", "c2"]).toContain(up);
  });
});
