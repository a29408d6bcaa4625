import { expect, test } from "vitest";
import { thumbnail } from "./thumbnail";

test("only the board is left", () => {
  const spot = (kind: string) => ({ x: 0, y: 0, kind });
  const layout = {
    spots: { a: spot("cell"), b: spot("cell"), stop: spot("button") },
    lines: [["a", "b"], ["a", "stop"]] as [string, string][],
    labels: [{ text: "p1", x: 0, y: 0 }],
    trays: { pool: "Pool" },
  };
  const small = thumbnail(layout, { pieces: { a: ["stone"], stop: ["x"] }, trays: { pool: ["stone"] } });
  expect(Object.keys(small.layout.spots)).toEqual(["a", "b"]);
  expect(small.layout.lines).toEqual([["a", "b"]]);
  expect(small.view).toEqual({ pieces: { a: ["stone"] }, trays: {} });
  const spots = { a: spot("cell"), yes: spot("button"), no: spot("button") };
  expect(Object.keys(thumbnail({ spots }, { pieces: {} }).layout.spots)).toEqual(["a"]);
});
