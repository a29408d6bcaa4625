import { expect, test } from "vitest";
import { cursorAt, isEarlier, shownPly } from "./stepping";

test("an earlier position stays in sight while the match goes on", () => {
  const cursor = cursorAt(2, 5);
  expect([isEarlier(cursor, 5), shownPly(cursor, 5)]).toEqual([true, 2]);
  expect([isEarlier(cursor, 6), shownPly(cursor, 6)]).toEqual([true, 2]);
});

test("the latest position is followed", () => {
  for (const cursor of [cursorAt(null, 5), cursorAt(5, 5), cursorAt(9, 5)]) {
    expect([isEarlier(cursor, 5), shownPly(cursor, 5)]).toEqual([false, 5]);
    expect([isEarlier(cursor, 6), shownPly(cursor, 6)]).toEqual([false, 6]);
  }
});

test("nobody steps back beyond the start, and a match without actions has only its start", () => {
  expect(cursorAt(-1, 5)).toBe(0);
  expect([shownPly(cursorAt(0, 5), 5), isEarlier(cursorAt(0, 5), 5)]).toEqual([0, true]);
  for (const ply of [null, -1, 0, 1]) expect(cursorAt(ply, 0)).toBeNull();
});

test("a position that was taken back gives way to the latest", () => {
  for (const cursor of [3, 4]) expect([isEarlier(cursor, 3), shownPly(cursor, 3)]).toEqual([false, 3]);
});
