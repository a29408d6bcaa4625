import { expect, test } from "vitest";
import { clockText, tickInterval, timeLeft } from "./clock";

test.each([
  [3_723_000, "1:02:03"],
  [245_900, "4:05"],
  [10_000, "0:10"],
  [9_990, "0:09.9"],
  [0, "0:00.0"],
])("%i ms is read as %s", (milliseconds, text) => {
  expect(clockText(milliseconds)).toBe(text);
});

test("only the running clock loses time, and never more than it has", () => {
  expect(timeLeft([5000, 7000], 0, 0, 2000)).toBe(3000);
  expect(timeLeft([5000, 7000], 0, 1, 2000)).toBe(7000);
  expect(timeLeft([5000, 7000], 0, 0, 9000)).toBe(0);
  expect(timeLeft([5000, 7000], null, 0, 9000)).toBe(5000);
});

test("tenths are read ten times a second, from the first one on", () => {
  for (const left of [9000, 10_200]) expect(tickInterval(left)).toBeLessThanOrEqual(100);
});
