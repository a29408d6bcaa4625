import { expect, test } from "vitest";
import { spec } from "./api";
import {
  CLOCKS, choices, defaults, isShort, nearest, newMatch, normalized, randomNumber, seatCount, swapped, withSeatCount,
} from "./setup";
import type { GameInfo, NewSeat, Occupant, OptionInfo } from "./wire";

const option = (name: string, more: Partial<OptionInfo>): OptionInfo => ({
  name, label: name, help: "", kind: "flag", values: null, low: null, high: null, step: null, default: false, ...more,
});
const game = {
  name: "game",
  players: { low: 2, high: 4 },
  pair: false,
  options: [
    option("players", { kind: "number", low: 2, high: 4, default: 2 }),
    option("quick", {}),
    option("board", { kind: "choice", values: [{ value: "large", label: "Large" }], default: "small" }),
    option("seed", { kind: "number", low: 0, high: 4294967295, default: 0 }),
  ],
} as unknown as GameInfo;
const seat = (who: Occupant): NewSeat => ({ who, name: "", level: 1 });

test("a spec names only what is not the default", () => {
  expect(spec(game, defaults(game))).toBe("game");
  expect(spec(game, { ...defaults(game), quick: true, board: "large", players: 3 })).toBe("game:players=3,quick,board=large");
});

test("seats are added as computers and dropped from the end", () => {
  const two = [seat("me"), seat("friend")];
  expect(withSeatCount(two, 3, 4)).toEqual([...two, { who: "computer", name: "", level: 4 }]);
  expect(withSeatCount(two, 1, 4)).toEqual([seat("me")]);
  expect(seatCount(game, { players: 3 })).toBe(3);
  expect(seatCount(game, {})).toBe(2);
});

test("places can be changed", () => {
  const two = [seat("me"), seat("friend")];
  expect(swapped(two, 0, 1)).toEqual([seat("friend"), seat("me")]);
  expect(two[0]!.who).toBe("me");
});

test("a second me is somebody at the same screen", () => {
  expect(normalized([seat("me"), seat("me")]).map(({ who }) => who)).toEqual(["me", "same"]);
});

test("only computers have a level, and all of them", () => {
  const chosen: [Occupant, number][] = [["me", 2], ["friend", 3], ["computer", 0], ["computer", 4]];
  const seats = chosen.map(([who, level]) => ({ ...seat(who), level }));
  expect(normalized(seats).map(({ level }) => level)).toEqual([0, 0, 1, 4]);
});

test("short ranges are chosen from, long ones typed", () => {
  expect(isShort(game.options[0]!)).toBe(true);
  expect(isShort(game.options[3]!)).toBe(false);
  expect(choices(game.options[0]!).map(({ value }) => value)).toEqual([2, 3, 4]);
  expect(choices(game.options[2]!)).toEqual([{ value: "large", label: "Large" }]);
});

test("a range may have steps", () => {
  const short = option("size", { kind: "number", low: 5, high: 11, step: 2 });
  const long = option("stones", { kind: "number", low: 10, high: 210, step: 20 });
  expect([isShort(short), isShort(long)]).toEqual([true, false]);
  expect(choices(short).map(({ value }) => value)).toEqual([5, 7, 9, 11]);
  expect([-5, 19, 21, 1000, Number.NaN].map((typed) => nearest(long, typed))).toEqual([10, 10, 30, 210, 10]);
  for (let n = 0; n < 100; n++) expect((randomNumber(long) - 10) % 20).toBe(0);
});

test("a game without pairs never asks for one", () => {
  const setup = { options: {}, seats: [seat("me")], drawLots: false, clock: 1, leaver: "computer", pair: true };
  expect(newMatch(game, setup)).toMatchObject({ spec: "game", pair: false, clock: CLOCKS[1] });
});

test("what was chosen is what is asked for", () => {
  const mine = [{ ...seat("me"), name: "Anna" }, seat("me")];
  const setup = { options: { quick: true }, seats: mine, drawLots: true, clock: 0, leaver: "end", pair: true };
  const seats = [{ who: "me", name: "Anna", level: 0 }, { who: "same", name: "", level: 0 }];
  const asked = { spec: "game:quick", seats, lot: true, leaver: "end", pair: true, clock: null };
  expect(newMatch({ ...game, pair: true }, setup)).toEqual(asked);
  expect(newMatch({ ...game, pair: true }, { ...setup, pair: false, drawLots: false })).toEqual({ ...asked, pair: false, lot: false });
});
