import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeSocket } from "../testing/socket";
import { entry as entryOf, seat } from "../testing/table";
import { LiveTable } from "./match.svelte";
import type { Entry, TableEvent, TableState } from "./wire";

let sockets: FakeSocket[];
let events: [TableEvent, TableState, TableState][];
let refusals: string[];
let live: LiveTable;
let seq: number;

const SEATS = [seat({ role: "White", mine: true }), seat({ role: "Black", present: false })];
const now = (more: Partial<TableState> = {}): TableState => ({
  status: "playing", result: "", reason: "", outcome: "", account: null, ply: 0, turn: 0, prompt: "", view: { pieces: {} }, last: [],
  paths: null, unaided: false, points: null, clocks: null, running: null, offers: [], can: [], game: 0, seats: SEATS, rematch: null,
  ...more,
});
const entry = (ply: number, more: Partial<Entry> = {}): Entry => entryOf({ ply, text: `action ${ply}`, ...more });
const server = (): FakeSocket => sockets.at(-1)!;
const sent = () => server().sent;
const texts = () => live.history.map(({ text }) => text);

function snapshot(state: TableState = now(), history: Entry[] = []): void {
  server().say({ t: "snapshot", seq, table: { id: "match/1", seats: [seat(), seat()] }, now: state, history });
}
function event(kind: string, state: TableState, { kept = 0, history = [] as Entry[], id = "", ...more } = {}): void {
  server().say({ t: "event", seq: ++seq, id, event: { kind, ...more }, now: state, kept, history });
}
function refuse(id: string, reason = "no"): void {
  server().say({ t: "refused", id, code: "illegal", reason, retry: 0 });
}

beforeEach(() => {
  vi.useFakeTimers();
  [sockets, events, refusals, seq] = [[], [], [], 0];
  vi.stubGlobal("location", { protocol: "https:", host: "table.example" });
  vi.stubGlobal("WebSocket", function (address: string) {
    sockets.push(new FakeSocket(address));
    return server();
  });
  live = new LiveTable("match/1", {
    onevent: (...event) => events.push(event),
    onrefused: (reason) => refusals.push(reason),
  });
});
afterEach(() => {
  live.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the address names the match, the language and the protocol, over a secure connection if the page came over one", () => {
  expect(server().address).toBe("wss://table.example/ws?match=match%2F1&lang=en&protocol=1");
});

test("before the first snapshot nothing is known and nothing can be played", () => {
  live.act("a1");
  live.sendClicks(["a1"]);
  expect(sent()).toEqual([]);
  expect([live.connectionState, live.seats, live.seat, live.isMyTurn]).toEqual(["connecting", [], -1, false]);
});

// -- Snapshots and events ---------------------------------------------------------

test("a snapshot brings the table, the position, the history and who is there", () => {
  vi.advanceTimersByTime(70);
  snapshot(now({ ply: 2 }), [entry(0), entry(1)]);
  expect(live.table?.id).toBe("match/1");
  expect(live.now?.ply).toBe(2);
  expect(texts()).toEqual(["action 0", "action 1"]);
  expect(live.present).toEqual([true, false]);
  expect(live.connectionState).toBe("open");
  expect(live.receivedAt).toBe(performance.now());
  expect(events).toEqual([]);
});

test("a snapshot ends what only held before it: thoughts of the computer and a pause", () => {
  snapshot();
  server().say({ t: "thinking", seat: 1, seconds: 1, depth: 3, value: 50, preparing: false });
  server().say({ t: "paused", reason: "The disk is full." });
  expect([live.thinking?.depth, live.paused]).toEqual([3, "The disk is full."]);
  snapshot();
  expect([live.thinking, live.paused]).toEqual([null, ""]);
});

test("an event brings the next position and what was played; the listener gets both positions", () => {
  snapshot(now(), []);
  const before = live.history;
  event("acted", now({ ply: 1, turn: 1 }), { history: [entry(0)] });
  event("acted", now({ ply: 2, turn: 0 }), { kept: 1, history: [entry(1)] });
  expect(texts()).toEqual(["action 0", "action 1"]);
  expect(before).toEqual([]); // what somebody looks at meanwhile is left alone
  expect(events.map(([{ kind }, from, to]) => [kind, from.ply, to.ply])).toEqual([["acted", 0, 1], ["acted", 1, 2]]);
  expect(events[1]![2]).toEqual(live.now);
});

test("a repeated event changes nothing", () => {
  snapshot();
  event("acted", now({ ply: 1 }), { history: [entry(0)] });
  seq -= 1;
  event("acted", now({ ply: 1 }), { kept: 1, history: [entry(0)] });
  expect(texts()).toEqual(["action 0"]);
  expect(events.length).toBe(1);
});

test("an event that comes before the first snapshot is only adopted: there is nothing to compare it with", () => {
  seq = -1;
  event("acted", now({ ply: 1 }), { history: [entry(0)] });
  expect([live.now?.ply, events]).toEqual([1, []]);
});

test("a take-back shortens the history and leaves what was before", () => {
  snapshot(now({ ply: 3, turn: 1 }), [entry(0), entry(1), entry(2)]);
  event("takenback", now({ ply: 1, turn: 1 }), { kept: 1 });
  expect(texts()).toEqual(["action 0"]);
  expect(events[0]![0].kind).toBe("takenback");
  event("acted", now({ ply: 2 }), { kept: 1, history: [entry(1, { text: "another" })] });
  expect(texts()).toEqual(["action 0", "another"]);
});

test("offers come and go with the position, and are answered for the seat that was asked", () => {
  const offer = { what: "draw" as const, seat: 2 };
  const seats = [seat({ mine: true }), seat({ mine: true }), seat()];
  snapshot(now({ seats }));
  event("offered", now({ seats, offers: [offer] }));
  expect(live.now?.offers).toEqual([offer]);
  live.request("answer", { offer: "draw", yes: false, seat: 1 });
  expect(sent().at(-1)).toMatchObject({ t: "do", what: "answer", offer: "draw", yes: false, seat: 1, match: "match/1" });
  event("answered", now());
  expect(live.now?.offers).toEqual([]);
});

test("clocks count from when they arrived", () => {
  vi.advanceTimersByTime(300);
  snapshot(now({ clocks: [5000, 5000], running: 0 }));
  vi.advanceTimersByTime(1234);
  const first = live.receivedAt;
  event("acted", now({ ply: 1, clocks: [4000, 5000], running: 1 }));
  expect(live.receivedAt - first).toBe(1234);
  expect(live.now?.clocks).toEqual([4000, 5000]);
  vi.advanceTimersByTime(500);
  server().say({ t: "presence", seats: [true, true], watching: 0 });
  expect(live.receivedAt - first).toBe(1234); // this message has no clocks
});

test("presence, notices and pauses come beside the position", () => {
  snapshot();
  server().say({ t: "presence", seats: [true, true], watching: 3 });
  server().say({ t: "notice", text: "The server restarts soon." });
  server().say({ t: "paused", reason: "The disk is full." });
  expect([live.present, live.watching]).toEqual([[true, true], 3]);
  expect([live.notice, live.paused]).toEqual(["The server restarts soon.", "The disk is full."]);
  server().say({ t: "paused", reason: "" });
  expect(live.paused).toBe("");
});

test("the computer's thoughts are shown until it has none", () => {
  snapshot();
  server().say({ t: "thinking", seat: 0, seconds: 1, depth: 3, value: 50, preparing: false });
  expect(live.thinking?.seat).toBe(0);
  server().say({ t: "thinking", seat: null, seconds: 0, depth: 0, value: 0, preparing: false });
  expect(live.thinking).toBeNull();
});

test("a phrase stays for six seconds, even if another one came just before", () => {
  snapshot();
  event("acted", now({ ply: 1 }), { seat: 1 } as object);
  expect(live.lastPhrase).toBeNull();
  event("said", now(), { seat: 1, phrase: 2 } as object);
  expect(live.lastPhrase).toEqual({ seat: 1, phrase: 2 });
  vi.advanceTimersByTime(4000);
  event("said", now(), { seat: 0, phrase: 5 } as object);
  vi.advanceTimersByTime(4000);
  expect(live.lastPhrase).toEqual({ seat: 0, phrase: 5 });
  vi.advanceTimersByTime(2000);
  expect(live.lastPhrase).toBeNull();
});

// -- Whose turn it is -------------------------------------------------------------

test("this device acts for the seat to act, if it is its own, otherwise for its first", () => {
  const seats = [seat(), seat({ mine: true }), seat({ mine: true })];
  snapshot(now({ seats, turn: 2 }));
  expect([live.seat, live.isMyTurn]).toEqual([2, true]);
  live.act("a1");
  expect(sent().at(-1)!.seat).toBe(2);
  event("acted", now({ ply: 1, seats, turn: 0 }));
  expect([live.seat, live.isMyTurn]).toEqual([1, false]);
  event("acted", now({ ply: 2, seats: [seat(), seat(), seat()], turn: 0 }));
  expect([live.seat, live.isMyTurn]).toEqual([-1, false]);
});

test("nobody's turn is mine before the match begins and after it ends", () => {
  snapshot(now({ status: "waiting" }));
  expect(live.isMyTurn).toBe(false);
  event("begun", now());
  expect(live.isMyTurn).toBe(true);
  event("ended", now({ status: "over" }));
  expect(live.isMyTurn).toBe(false);
});

// -- Actions ----------------------------------------------------------------------

test("an action is sent for the position that is shown, each with an id of its own", () => {
  snapshot(now({ ply: 4 }));
  live.act("a1");
  live.act("a1");
  expect(sent()[0]).toMatchObject({ t: "act", match: "match/1", seat: 0, ply: 4, action: "a1" });
  expect(new Set(sent().map(({ id }) => id)).size).toBe(2);
});

test("a refused action reaches the listener with the reason, and leaves the position", () => {
  snapshot(now({ ply: 4 }), [entry(0)]);
  live.act("a1");
  refuse(sent()[0]!.id!, "it is not your turn");
  expect(refusals).toEqual(["it is not your turn"]);
  expect([live.now?.ply, texts()]).toEqual([4, ["action 0"]]);
});

test("unaided clicks that the server took are kept until one is refused", () => {
  snapshot(now({ unaided: true }));
  live.sendClicks(["a1"]);
  expect(sent()[0]).toMatchObject({ t: "act", ply: 0, path: ["a1"] });
  server().say({ t: "more", id: sent()[0]!.id, path: ["a1"] });
  expect(live.acceptedPath).toEqual(["a1"]);
  live.sendClicks(["a1", "b1"]);
  refuse(sent()[1]!.id!);
  expect(live.acceptedPath).toEqual([]);
  expect(refusals).toEqual(["no"]);
});

test("unaided clicks are forgotten with a new position, and stay when somebody only speaks", () => {
  const path = () => server().say({ t: "more", id: "", path: ["a1"] });
  snapshot(now({ ply: 3, unaided: true }));
  path();
  event("said", now({ ply: 3, unaided: true }), { seat: 1, phrase: 0 } as object);
  expect(live.acceptedPath).toEqual(["a1"]);
  event("acted", now({ ply: 4, unaided: true }));
  expect(live.acceptedPath).toEqual([]);
  path();
  event("takenback", now({ ply: 2, unaided: true }));
  expect(live.acceptedPath).toEqual([]);
});

test("the second game of a pair begins with no clicks, and its entries follow those of the first", () => {
  snapshot(now({ ply: 0, unaided: true }), [entry(0)]);
  server().say({ t: "more", id: "", path: ["a1"] });
  event("acted", now({ ply: 0, game: 1 }), { kept: 1, history: [entry(1)] });
  expect(live.acceptedPath).toEqual([]);
  event("acted", now({ ply: 1, game: 1 }), { kept: 2, history: [entry(0, { game: 1, text: "again" })] });
  expect(texts()).toEqual(["action 0", "action 1", "again"]);
  expect(live.now?.game).toBe(1);
  expect(events.map(([, before, after]) => [before.game, after.game])).toEqual([[0, 1], [1, 1]]);
});

test.each([
  ["an event", (id: string) => event("acted", now({ ply: 1 }), { id })],
  ["an acknowledgement", (id: string) => server().say({ t: "ack", id, seq })],
  ["a refusal", (id: string) => refuse(id)],
  ["more clicks to come", (id: string) => server().say({ t: "more", id, path: ["a1"] })],
])("an action without an answer is slow after half a second, until %s", (_, answer) => {
  snapshot();
  live.act("a1");
  vi.advanceTimersByTime(499);
  expect(live.isSlow).toBe(false);
  vi.advanceTimersByTime(1);
  expect(live.isSlow).toBe(true);
  answer("another");
  expect(live.isSlow).toBe(true);
  answer(sent()[0]!.id!);
  expect(live.isSlow).toBe(false);
  live.act("b1");
  answer(sent()[1]!.id!);
  vi.advanceTimersByTime(10_000);
  expect(live.isSlow).toBe(false);
});

test("of two actions the second one is waited for", () => {
  snapshot();
  live.act("a1");
  vi.advanceTimersByTime(300);
  live.act("b1");
  vi.advanceTimersByTime(300);
  expect(live.isSlow).toBe(false);
  vi.advanceTimersByTime(200);
  expect(live.isSlow).toBe(true);
});

test("other requests are never slow", () => {
  snapshot();
  live.request("undo");
  expect(sent()[0]).toMatchObject({ t: "do", what: "undo", seat: 0 });
  vi.advanceTimersByTime(5000);
  expect(live.isSlow).toBe(false);
});

// -- Hints and previews -----------------------------------------------------------

const hint = (id: string) => server().say({ t: "hint", id, action: "a1", spots: ["a1"], line: "", value: 60 });

test("a hint is waited for, shown, and gone with the next event", () => {
  snapshot();
  live.requestHint();
  expect(sent()[0]).toMatchObject({ t: "do", what: "hint" });
  expect([live.isHinting, live.hint]).toEqual([true, null]);
  hint(sent()[0]!.id!);
  expect([live.isHinting, live.hint?.action]).toEqual([false, "a1"]);
  live.requestHint();
  expect(live.hint).toBeNull();
  hint(sent()[1]!.id!);
  event("acted", now({ ply: 1 }));
  expect([live.isHinting, live.hint]).toEqual([false, null]);
});

test("a refused hint reaches the listener, unless nobody waits for it any more", () => {
  snapshot();
  live.requestHint();
  refuse("another");
  expect([live.isHinting, refusals.pop()]).toEqual([true, "no"]);
  refuse(sent()[0]!.id!, "the computer is busy");
  expect([live.isHinting, refusals]).toEqual([false, ["the computer is busy"]]);
  live.requestHint();
  event("acted", now({ ply: 1 }));
  expect(live.isHinting).toBe(false);
  refuse(sent()[1]!.id!, "the match has moved on");
  expect(refusals).toEqual(["the computer is busy"]);
});

test("each preview gets the answer to its own question, or none after three seconds", async () => {
  snapshot(now({ ply: 7 }));
  const [first, second, third] = [live.preview("a1"), live.preview("b1"), live.preview("c1")];
  const [a, b] = sent();
  expect(a).toMatchObject({ t: "preview", match: "match/1", seat: 0, ply: 7, action: "a1" });
  server().say({ t: "preview", id: b!.id, view: { pieces: { b1: ["stone"] } } });
  server().say({ t: "preview", id: a!.id, view: null });
  expect(await first).toBeNull();
  expect(await second).toEqual({ pieces: { b1: ["stone"] } });
  vi.advanceTimersByTime(3000);
  expect(await third).toBeNull();
});

// -- The connection ---------------------------------------------------------------

test("after a break what was not answered is sent again with the same id, previews are not", () => {
  snapshot();
  live.act("a1");
  live.request("undo");
  void live.preview("a1");
  const [action, wish] = sent();
  server().say({ t: "ack", id: wish!.id, seq });
  server().close();
  expect(live.connectionState).toBe("lost");
  vi.advanceTimersByTime(1000);
  expect(sockets.length).toBe(2);
  expect(sent()).toEqual([]); // first the snapshot tells where the match is
  snapshot();
  expect(live.connectionState).toBe("open");
  expect(sent()).toEqual([action]);
  event("acted", now({ ply: 1 }), { history: [entry(0)], id: action!.id! });
  server().close();
  vi.advanceTimersByTime(1000);
  snapshot(now({ ply: 1 }), [entry(0)]);
  expect(sent()).toEqual([]);
  expect(texts()).toEqual(["action 0"]);
});

test("a snapshot after a break replaces the history", () => {
  snapshot(now({ ply: 2 }), [entry(0), entry(1)]);
  server().close();
  vi.advanceTimersByTime(1000);
  seq = 9;
  snapshot(now({ ply: 1 }), [entry(0, { text: "another" })]);
  expect(texts()).toEqual(["another"]);
  event("acted", now({ ply: 2 }), { kept: 1, history: [entry(1)] });
  expect(texts()).toEqual(["another", "action 1"]);
});

test("a page that wakes tries again at once", () => {
  server().close();
  live.wake();
  expect(sockets.length).toBe(2);
});

test("a closed table does nothing more", () => {
  snapshot();
  live.act("a1");
  live.close();
  vi.advanceTimersByTime(60_000);
  expect([sockets.length, live.isSlow]).toEqual([1, false]);
});
