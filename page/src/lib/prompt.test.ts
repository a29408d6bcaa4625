import { expect, test } from "vitest";
import { seat } from "../testing/table";
import { type Chosen, type Earlier, type Situation, prompt, reason } from "./prompt";
import type { Hint, TableState, Thinking } from "./wire";

const SEATS = [seat({ role: "White", mine: true }), seat({ role: "Black" })];
const HINT = { t: "hint", id: "", action: "a-b", spots: ["a", "b"], line: "", value: 61.7 } satisfies Hint;
const THINKING = { t: "thinking", seat: 1, seconds: 1, depth: 2, value: 50, preparing: false } satisfies Thinking;
const NOTHING: Chosen = { path: [], next: [], waiting: null };

const now = (more: Partial<TableState> = {}): TableState =>
  ({ status: "playing", turn: 0, prompt: "Place a ring.", unaided: false, result: "", outcome: "", seats: SEATS, ...more }) as TableState;
const situation = (more: Partial<Situation> = {}): Situation => ({
  now: now(), seats: SEATS, seat: 0, isMyTurn: true, paused: "", isSlow: false, thinking: null, isHinting: false,
  hint: null, acceptedPath: [], ...more,
});
const name = (spot: string): string => spot.toUpperCase();
const say = (more: Partial<Situation> = {}, chosen: Partial<Chosen> = {}, earlier: Earlier | null = null): string =>
  prompt(situation(more), { ...NOTHING, ...chosen }, earlier, name);

test("before the table is known the page is on its way", () => {
  expect(say({ now: null })).toBe("Joining the table …");
});

test("`Your turn` is said to the holder of one seat, not to whoever holds all or only watches", () => {
  expect(say()).toBe("Your turn. Place a ring.");
  expect(say({ seats: SEATS.map((one) => ({ ...one, mine: true })) })).toBe("Place a ring.");
  expect(say({ seat: -1, isMyTurn: false, seats: [seat(), seat()] })).toBe("Place a ring.");
});

test("another's turn names the role; before the match begins it is nobody's turn", () => {
  expect(say({ now: now({ turn: 1 }), isMyTurn: false })).toBe("Black is thinking …");
  expect(say({ now: now({ status: "waiting", turn: null }), isMyTurn: false })).toBe("Place a ring.");
});

test("an earlier position shows its number, and its prompt once that is loaded", () => {
  expect(say({}, {}, { ply: 3, length: 8, prompt: undefined })).toBe("After move 3 of 8.");
  expect(say({}, {}, { ply: 3, length: 8, prompt: "Remove a row." })).toBe("After move 3 of 8. Remove a row.");
  expect(say({ now: now({ status: "over" }), isSlow: true }, { path: ["a"] }, { ply: 1, length: 2, prompt: undefined }))
    .toBe("After move 1 of 2.");
});

test("the result comes before whatever was going on", () => {
  const over = now({ status: "over", result: "p1win", outcome: "White wins" });
  expect(say({ now: over, paused: "Stopped.", isSlow: true, thinking: THINKING }, { path: ["a"] })).toBe("You won · White wins");
});

test("what keeps me from acting comes in this order: a pause, a slow connection, a game in preparation", () => {
  const thinking = { ...THINKING, preparing: true };
  const waiting = { now: now({ turn: 1 }), isMyTurn: false };
  expect(say({ ...waiting, paused: "Stopped.", isSlow: true, thinking })).toBe("Stopped.");
  expect(say({ ...waiting, isSlow: true, thinking })).toBe("Sending …");
  expect(say({ ...waiting, thinking })).toMatch(/^Preparing the game/);
  expect(say({ ...waiting, thinking: THINKING })).toBe("Black is thinking …");
});

test("a hint is awaited, then shown, until something is chosen", () => {
  expect(say({ isHinting: true, hint: HINT })).toBe("Looking for a hint …");
  expect(say({ hint: HINT })).toBe("Hint: A → B. Chance to win 62 %.");
  expect(say({ hint: { ...HINT, spots: [] } })).toBe("Hint: a-b. Chance to win 62 %.");
  expect(say({ isHinting: true, hint: HINT }, { path: ["a"], next: ["b"] })).toBe("A: one choice is left.");
});

test("what is chosen narrows the choice down", () => {
  expect(say({}, { path: ["a"], next: ["b", "c"] })).toBe("A: choose one of the 2 marked places.");
  expect(say({}, { path: ["a", "b"], next: ["c"] })).toBe("A B: one choice is left.");
  expect(say({}, { path: ["a", "b"], waiting: "a-b" })).toBe("A → B: tap it again or confirm.");
});

test("a name with a sign in it is not taken for a pattern", () => {
  expect(prompt(situation(), { ...NOTHING, path: ["a"], next: ["b"] }, null, () => "{n}")).toBe("{n}: one choice is left.");
});

test("unaided, the prompt shows the clicks that the server accepted, not those of the board", () => {
  const unaided = now({ unaided: true });
  expect(say({ now: unaided, acceptedPath: ["a", "b"] }, { path: ["c"] })).toBe("A B … go on.");
  expect(say({ now: unaided }, { path: ["c"] })).toBe("Your turn. Place a ring.");
  expect(say({ acceptedPath: ["a"] })).toBe("Your turn. Place a ring.");
});

test.each<[string, Partial<Situation>, boolean]>([
  ["The match is over.", { now: null }, false],
  ["The match is over.", { now: now({ status: "over" }) }, true],
  ["This is an earlier position. Go to the latest one to play.", { now: now({ status: "waiting" }) }, true],
  ["The match begins when all seats are taken.", { now: now({ status: "waiting" }), seat: -1 }, false],
  ["You are watching this match.", { seat: -1, isMyTurn: false }, false],
  ["It is not your turn: Black plays next.", { now: now({ turn: 1 }), isMyTurn: false }, false],
  ["C cannot be chosen now.", {}, false],
])("a click is answered: %s", (text, more, isPast) => {
  expect(reason(situation(more), "c", isPast, name)).toBe(text);
});
