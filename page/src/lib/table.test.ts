import { expect, test } from "vitest";
import { entry as entryOf, seat as seatOf } from "../testing/table";
import { ending, headline, isAlone, mineOf, passedText, rows, seatLabel, sentence } from "./table";
import type { Entry, Seat } from "./wire";

const entry = (seat: number, text: string, more: Partial<Entry> = {}): Entry => entryOf({ seat, text, ...more });
const seat = (role: string, more: Partial<Seat> = {}): Seat => seatOf({ role, ...more });

test("all actions of a turn share its number", () => {
  const list = rows([entry(0, "a"), entry(0, "b"), entry(1, "c"), entry(0, "d")]);
  expect(list.map((row) => row.number)).toEqual(["1.", "", "2.", "3."]);
});

test("who acts again because others were passed over begins a new turn", () => {
  const list = rows([entry(0, "a"), entry(0, "b", { passed: [1] })]);
  expect(list.map((row) => row.number)).toEqual(["1.", "2."]);
  const seats = [seat("A"), seat("B"), seat("C")];
  expect([passedText(seats, []), passedText(seats, [1]), passedText(seats, [1, 2])]).toEqual(["", "B skipped", "B, C skipped"]);
});

test("a seat is called by its name, a computer without one by its level, anybody else by the role", () => {
  const seats = [{ name: "Anna" }, { kind: "computer", level_name: "Beginner" }, { kind: "computer", name: "Anna" }, {}] as const;
  expect(seats.map((more) => seatLabel(seat("White", more)))).toEqual(["Anna", "Beginner", "Anna", "White"]);
});

test("the second game of a pair is numbered from the start", () => {
  const list = rows([entry(0, "a"), entry(1, "b"), entry(1, "c", { game: 1 })]);
  expect(list.map((row) => row.number)).toEqual(["1.", "2.", "1."]);
});

test("an ending is told from the side of this device", () => {
  expect(ending("p1win", [0])).toBe("won");
  expect(ending("p2win", [0])).toBe("lost");
  expect(ending("p1p3win", [2])).toBe("won");
  expect(ending("draw", [0])).toBe("draw");
  expect(ending("p1win", [])).toBe("other");
  expect(ending("p1win", [0, 1])).toBe("other");
  expect(ending("", [0])).toBe("other");
  expect(mineOf([seat("A"), seat("B", { mine: true })])).toEqual([1]);
});

test("the end is told first as this device's own", () => {
  const seats = [seat("A", { mine: true }), seat("B")];
  expect(headline({ result: "p1win", outcome: "A wins", seats })).toBe("You won · A wins");
  expect(headline({ result: "p2win", outcome: "B wins", seats })).toBe("You lost · B wins");
  expect(headline({ result: "draw", outcome: "Draw", seats })).toBe("Draw");
  expect(headline({ result: "p1win", outcome: "A wins", seats: [seat("A"), seat("B")] })).toBe("A wins");
});

test("alone is who sits with computers or holds all seats", () => {
  expect(isAlone([seat("A", { mine: true }), seat("B", { kind: "computer" })])).toBe(true);
  expect(isAlone([seat("A", { mine: true }), seat("B")])).toBe(false);
});

test("what the server says becomes a sentence", () => {
  expect(sentence("the match has moved on")).toBe("The match has moved on.");
  for (const whole of ["Is it yours?", "Wait…", "No!", "It is over."]) expect(sentence(whole)).toBe(whole);
});
