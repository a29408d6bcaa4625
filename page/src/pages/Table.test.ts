// @vitest-environment happy-dom
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Layout } from "../board";
import type { Entry, TableState } from "../lib/wire";
import { LOOK } from "../testing/look";
import { FakeSocket } from "../testing/socket";
import { entry, seat } from "../testing/table";
import { builtAs } from "../testing/version";
import Table from "./Table.svelte";

const LAYOUT: Layout = { spots: Object.fromEntries(["a1", "b1", "c1"].map((name, x) => [name, { x, y: 0, kind: "cell" }])) };
const SEATS = [seat({ role: "White", mine: true }), seat({ role: "Black" })];
const FRAMES = ["none", "one", "two", "three", "four"].map((prompt) => ({ view: { pieces: {} }, last: [], prompt, text: "", seat: 0 }));

const now = (more: Partial<TableState> = {}): TableState => ({
  status: "playing", result: "", reason: "", outcome: "", account: null, ply: 0, turn: 0, prompt: "Place a ring.", view: { pieces: {} },
  last: [], paths: { a1: { b1: "a1-b1", c1: "a1-c1" } }, unaided: false, points: null, clocks: null, running: null, offers: [], can: [],
  game: 0, seats: SEATS, rematch: null, ...more,
});
const text = (selector: string): string => document.querySelector(selector)?.textContent?.trim() ?? "";
const chosen = (): number => document.querySelectorAll(".targets .chosen").length;
const targets = (): number => document.querySelectorAll(".targets .target").length;

let socket: FakeSocket;
let page: object;
let seq: number;

/** What the page shows once everything that was asked for has come. */
async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(1);
  flushSync();
}
async function snapshot(state: TableState, history: Entry[] = [], page = ""): Promise<void> {
  const table = { id: "m", spec: "game", game: "game", title: "Game", options: [], seats: SEATS, layout: LAYOUT, phrases: [] };
  socket.say({ t: "snapshot", seq, table, now: state, history, page });
  await settle();
}
async function event(kind: string, state: TableState, kept: number, history: Entry[] = []): Promise<void> {
  socket.say({ t: "event", seq: ++seq, id: "", event: { kind }, now: state, kept, history });
  await settle();
}
async function refuse(reason: string): Promise<void> {
  socket.say({ t: "refused", id: socket.sent.at(-1)!.id, code: "illegal", reason, retry: 0 });
  await settle();
}
async function click(spot: string): Promise<void> {
  document.querySelector(`g[data-spot=${spot}]`)!.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 0 }));
  await settle();
}
async function press(key: string): Promise<void> {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  await settle();
}

beforeEach(async () => {
  vi.useFakeTimers();
  seq = 0;
  vi.stubGlobal("WebSocket", function (address: string) {
    socket = new FakeSocket(address);
    return socket;
  });
  const answers: [RegExp, unknown][] = [[/look/, LOOK], [/frames/, FRAMES], [/games/, []], [/./, {}]];
  const answer = (address: string): unknown => answers.find(([path]) => path.test(address))![1];
  vi.stubGlobal("fetch", (address: string) => Promise.resolve(new Response(JSON.stringify(answer(address)))));
  page = mount(Table, { target: document.body, props: { id: "m", ply: null } });
  await snapshot(now());
});
afterEach(async () => {
  await unmount(page);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a refused action brings the board back, clears what was chosen, and says why", async () => {
  expect(text(".prompt")).toBe("Your turn. Place a ring.");
  await click("a1");
  expect(text(".prompt")).toBe("a1: choose one of the 2 marked places.");
  await click("b1");
  expect(socket.sent.at(-1)).toMatchObject({ t: "act", action: "a1-b1" });
  expect(targets()).toBe(0);
  await refuse("it is not your turn");
  expect([chosen(), targets()]).toEqual([0, 1]);
  expect([text(".answer"), text(".prompt")]).toEqual(["It is not your turn.", "Your turn. Place a ring."]);
});

test("unaided, a refused click clears those that the server had accepted", async () => {
  await event("acted", now({ ply: 1, unaided: true, paths: null }), 0);
  await click("a1");
  socket.say({ t: "more", id: socket.sent.at(-1)!.id, path: ["a1"] });
  await settle();
  expect(text(".prompt")).toBe("a1 … go on.");
  await click("b1");
  expect(socket.sent.at(-1)!.path).toEqual(["a1", "b1"]);
  await refuse("no such action");
  expect([chosen(), text(".answer"), text(".prompt")]).toEqual([0, "No such action.", "Your turn. Place a ring."]);
  await click("c1");
  expect(socket.sent.at(-1)!.path).toEqual(["c1"]);
  expect(chosen()).toBe(1);
  socket.close();
  await settle();
  expect(chosen()).toBe(0);
});

test("when it is not my turn the board answers a click with whose turn it is", async () => {
  await event("acted", now({ ply: 1, turn: 1, paths: null }), 0, [entry({ text: "a1" })]);
  await click("a1");
  expect([chosen(), targets()]).toEqual([0, 0]);
  expect([text(".answer"), text(".prompt")]).toEqual(["It is not your turn: Black plays next.", "Black is thinking …"]);
  await event("acted", now({ ply: 2 }), 1, [entry({ text: "b1", seat: 1 })]);
  expect([text(".answer"), targets()]).toEqual(["", 1]);
});

test("a click that cannot be an action is answered until the next one that can", async () => {
  await click("b1");
  expect(text(".answer")).toBe("b1 cannot be chosen now.");
  await click("a1");
  expect([text(".answer"), text(".prompt")]).toEqual(["", "a1: choose one of the 2 marked places."]);
});

test("a lost connection drops what was half chosen, and nothing can be chosen until it is back", async () => {
  await click("a1");
  socket.close();
  await settle();
  expect([chosen(), targets()]).toEqual([0, 0]);
  expect(text(".status p")).toBe("Connection lost, trying again …");
  await vi.advanceTimersByTimeAsync(1000);
  await snapshot(now());
  expect([targets(), text(".prompt")]).toEqual([1, "Your turn. Place a ring."]);
});

test("an earlier position stays in sight while the match goes on, and nothing can be played in it", async () => {
  await snapshot(now({ ply: 3 }), [entry(), entry(), entry()]);
  await press("ArrowLeft");
  expect([text(".prompt"), targets()]).toEqual(["After move 2 of 3. two", 0]);
  await event("acted", now({ ply: 4 }), 3, [entry()]);
  expect(text(".prompt")).toBe("After move 2 of 4. two");
  await click("a1");
  expect(text(".answer")).toBe("This is an earlier position. Go to the latest one to play.");
  await press("End");
  expect([text(".prompt"), targets()]).toEqual(["Your turn. Place a ring.", 1]);
});

test("an earlier position that is taken back gives way to the latest", async () => {
  await snapshot(now({ ply: 3 }), [entry(), entry(), entry()]);
  await press("ArrowLeft");
  await event("takenback", now({ ply: 1, prompt: "Again." }), 1);
  expect([text(".prompt"), targets()]).toEqual(["Your turn. Again.", 1]);
  await event("acted", now({ ply: 3, prompt: "Further." }), 1, [entry(), entry()]);
  expect(text(".prompt")).toBe("Your turn. Further.");
});

test("earlier positions are asked for once, even if the server knows fewer of them", async () => {
  const few = () => (asked.mock.calls.length < 9 ? JSON.stringify(FRAMES.slice(0, 2)) : "an end"); // or a loop would hang
  const asked = vi.fn((_address: string) => Promise.resolve(new Response(few())));
  vi.stubGlobal("fetch", asked);
  const count = (): number => asked.mock.calls.filter(([address]) => address.includes("frames")).length;
  await snapshot(now({ ply: 3 }), [entry(), entry(), entry()]);
  await press("ArrowLeft");
  await vi.advanceTimersByTimeAsync(50);
  expect(count()).toBe(1);
  await event("acted", now({ ply: 4 }), 3, [entry()]);
  expect(count()).toBe(2);
});

test("after an upgrade the match goes on, and a line offers to reload until it is dismissed", async () => {
  builtAs("one");
  await snapshot(now(), [], "one");
  expect(text(".version")).toBe("");
  socket.close();
  await vi.advanceTimersByTimeAsync(1000);
  await snapshot(now(), [], "two");
  expect(text(".version[role=status] p")).toBe("There is a new version of Roundel.");
  await click("a1");
  await click("b1");
  expect(socket.sent.at(-1)).toMatchObject({ t: "act", action: "a1-b1" });
  const [reload, later] = document.querySelectorAll<HTMLButtonElement>(".version button");
  const reloaded = vi.spyOn(location, "reload").mockImplementation(() => {});
  reload!.click();
  expect(reloaded).toHaveBeenCalledOnce();
  later!.click();
  await snapshot(now(), [], "two");
  expect(text(".version")).toBe("");
  await snapshot(now(), [], "one");
});

test("a server that does not understand this page says why, until it does", async () => {
  socket.say({ t: "refused", id: "", code: "reload", reason: "the page speaks another protocol", retry: 0 });
  await settle();
  expect(text(".version p")).toBe("The page speaks another protocol.");
  await snapshot(now());
  expect(text(".version")).toBe("");
});
