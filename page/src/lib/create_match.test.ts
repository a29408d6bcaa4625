// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { createMatch, defaultMatch, invitations, newSeat } from "./create_match";
import { DEFAULTS, settings } from "./settings.svelte";
import type { GameInfo } from "./wire";

const GAME = { name: "game", players: { low: 2, high: 4 } } as GameInfo;

afterEach(() => {
  Object.assign(settings, DEFAULTS);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("a seat of mine has my name, and only a computer has a level: the one that I like", () => {
  Object.assign(settings, { name: "Anna", level: 4 });
  expect(newSeat("me")).toEqual({ who: "me", name: "Anna", level: 0 });
  expect(newSeat("friend")).toEqual({ who: "friend", name: "", level: 0 });
  expect(newSeat("computer")).toEqual({ who: "computer", name: "", level: 4 });
  expect(newSeat("computer", 2).level).toBe(2);
});

test("I have the place that I want; with a friend, or without a wish, it is drawn", () => {
  const placed = (match: ReturnType<typeof defaultMatch>) => [match.seats.map(({ who }) => who), match.lot];
  expect(placed(defaultMatch(GAME, "computer"))).toEqual([["me", "computer"], false]);
  expect(placed(defaultMatch(GAME, "computer", 1))).toEqual([["computer", "me"], false]);
  expect(placed(defaultMatch(GAME, "computer", -1))).toEqual([["me", "computer"], true]);
  expect(placed(defaultMatch(GAME, "friend"))).toEqual([["me", "friend"], true]);
});

test("a match that was made is shown, and its invitations are known there", async () => {
  const invitation = { url: "/join/t", qr: "" };
  const made = { id: "abc", seats: [{ seat: 0, key: "k", invitation: null }, { seat: 1, key: null, invitation }] };
  const sent = vi.fn((_address: string, _request: RequestInit) => Promise.resolve(Response.json(made)));
  vi.stubGlobal("fetch", sent);
  vi.stubGlobal("scrollTo", () => {});
  const before = history.length;
  await createMatch(defaultMatch(GAME, "friend"));
  expect(JSON.parse(sent.mock.lastCall![1].body as string)).toMatchObject({ spec: "game", clock: null, leaver: "computer" });
  expect([location.pathname, history.length]).toEqual(["/m/abc", before + 1]);
  expect([...invitations]).toEqual([["abc 1", invitation]]);
});
