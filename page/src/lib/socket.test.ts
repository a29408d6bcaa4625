import { beforeEach, expect, test } from "vitest";
import { Connection, type ConnectionState, type Environment, backoff } from "./socket";
import { FakeSocket } from "../testing/socket";
import type { FromServer } from "./wire";

let sockets: FakeSocket[];
let timers: { run: () => void; milliseconds: number }[];
let received: FromServer[];
let states: ConnectionState[];
let connection: Connection;

const environment: Environment = {
  open: () => {
    sockets.push(new FakeSocket());
    return sockets.at(-1) as unknown as WebSocket;
  },
  setTimer: (run, milliseconds) => {
    const timer = { run, milliseconds };
    timers.push(timer);
    return timer;
  },
  clearTimer: (timer) => {
    timers = timers.filter((one) => one !== timer);
  },
  random: () => 0.5,
};
const fire = (): void => timers.pop()!.run();
const snapshot = (seq: number) => ({ t: "snapshot", seq });
const event = (seq: number, id = "") => ({ t: "event", seq, id });

beforeEach(() => {
  [sockets, timers, received, states] = [[], [], [], []];
  connection = new Connection(() => "ws://here", (message) => received.push(message), (state) => states.push(state), environment);
});

test("attempts wait longer and longer, up to ten seconds", () => {
  expect(backoff(0, 1)).toBe(400);
  expect(backoff(1, 1)).toBe(800);
  expect(backoff(20, 1)).toBe(10_000);
  expect(backoff(0, 0)).toBe(200);
});

test("events in order are passed on, repeated ones are not", () => {
  sockets[0]!.say(snapshot(3));
  sockets[0]!.say(event(4));
  sockets[0]!.say(event(4));
  expect(received.map((message) => message.t)).toEqual(["snapshot", "event"]);
  expect(sockets[0]!.sent).toEqual([]);
});

test("a gap asks for a snapshot, once, and nothing is passed on until it comes", () => {
  const socket = sockets[0]!;
  socket.say(snapshot(3));
  socket.say(event(5));
  socket.say(event(6));
  expect(socket.sent).toEqual([{ t: "sync" }]);
  expect(received.length).toBe(1);
  socket.say(snapshot(6));
  socket.say(event(7));
  expect(received.map((message) => message.t)).toEqual(["snapshot", "snapshot", "event"]);
});

test("a lost connection comes back by itself and sends again what was not answered, with the same id", () => {
  sockets[0]!.say(snapshot(0));
  connection.send({ t: "act", id: "one" });
  connection.send({ t: "act", id: "two" });
  connection.send({ t: "act", id: "three" });
  sockets[0]!.say(event(1, "one"));
  sockets[0]!.say({ t: "ack", id: "three", seq: 1 });
  sockets[0]!.close();
  expect(states).toEqual(["open", "lost"]);
  fire();
  sockets[1]!.say(snapshot(1));
  expect(sockets[1]!.sent).toEqual([{ t: "act", id: "two" }]);
  sockets[1]!.say({ t: "refused", id: "two", code: "stale", reason: "", retry: 0 });
  sockets[1]!.close();
  fire();
  sockets[2]!.say(snapshot(1));
  expect(sockets[2]!.sent).toEqual([]);
  expect(states).toEqual(["open", "lost", "open", "lost", "open"]);
});

test("what a busy server refused is sent again, after the time it named", () => {
  sockets[0]!.say(snapshot(0));
  connection.send({ t: "act", id: "one" });
  sockets[0]!.say({ t: "refused", id: "one", code: "busy", reason: "", retry: 1 });
  expect(received.map((message) => message.t)).toEqual(["snapshot"]);
  expect(sockets[0]!.sent.length).toBe(1);
  expect(timers.at(-1)!.milliseconds).toBe(1000);
  fire();
  expect(sockets[0]!.sent).toEqual([{ t: "act", id: "one" }, { t: "act", id: "one" }]);
  sockets[0]!.say(event(1, "one"));
  expect(received.map((message) => message.t)).toEqual(["snapshot", "event"]);
});

test("what was answered meanwhile, after a break, is not sent again after that time", () => {
  sockets[0]!.say(snapshot(0));
  connection.send({ t: "act", id: "one" });
  sockets[0]!.say({ t: "refused", id: "one", code: "busy", reason: "", retry: 1 });
  const later = timers.at(-1)!;
  sockets[0]!.close();
  fire();
  sockets[1]!.say(snapshot(0));
  sockets[1]!.say(event(1, "one"));
  later.run();
  expect(sockets[1]!.sent).toEqual([{ t: "act", id: "one" }]);
});

test("what is sent before a connection is open waits for its snapshot", () => {
  const socket = sockets[0]!;
  socket.readyState = 0;
  connection.send({ t: "act", id: "one" });
  expect(socket.sent).toEqual([]);
  socket.readyState = 1;
  socket.say(snapshot(0));
  expect(socket.sent).toEqual([{ t: "act", id: "one" }]);
});

test("a hint that has come is not asked for again", () => {
  sockets[0]!.say(snapshot(0));
  connection.send({ t: "do", id: "three" });
  sockets[0]!.say({ t: "hint", id: "three", action: "", spots: [], line: "", value: 50 });
  sockets[0]!.close();
  fire();
  sockets[1]!.say(snapshot(0));
  expect(sockets[1]!.sent).toEqual([]);
});

test("attempts are counted from the start again after a success", () => {
  sockets[0]!.close();
  const first = timers.at(-1)!.milliseconds;
  fire();
  sockets[1]!.close();
  expect(timers.at(-1)!.milliseconds).toBeGreaterThan(first);
  fire();
  sockets[2]!.say(snapshot(0));
  sockets[2]!.close();
  expect(timers.at(-1)!.milliseconds).toBe(first);
});

test("silence is answered by a ping, and more silence by a new connection", () => {
  sockets[0]!.say(snapshot(0));
  fire();
  expect(sockets[0]!.sent).toEqual([{ t: "ping" }]);
  fire();
  expect(states).toEqual(["open", "lost"]);
});

test("a page that wakes does not wait for the next attempt", () => {
  sockets[0]!.close();
  connection.wake();
  expect(sockets.length).toBe(2);
  expect(timers.length).toBe(0);
});

test("a page that wakes asks whether anybody is there if the connection seems to be", () => {
  sockets[0]!.close();
  fire();
  sockets[1]!.say(snapshot(0));
  connection.wake();
  expect(sockets.length).toBe(2);
  expect(sockets[1]!.sent).toEqual([{ t: "ping" }]);
});

test("a lost connection waits for the next attempt and for nothing else", () => {
  sockets[0]!.say(snapshot(0));
  sockets[0]!.close();
  expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([backoff(0, 0.5)]);
  connection.close();
  expect(timers).toEqual([]);
});

test("a closed connection stays closed", () => {
  sockets[0]!.say(snapshot(0));
  connection.close();
  expect(timers).toEqual([]);
  expect(states).toEqual(["open"]);
});
