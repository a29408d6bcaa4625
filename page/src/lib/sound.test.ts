// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** Of each voice that reaches the loudspeakers: when it begins and when it ends. */
let voices: [number, number][];
let contexts: number;
let play: (typeof import("./sound"))["play"];

beforeEach(async () => {
  [voices, contexts] = [[], 0];
  class FakeNode {
    target: unknown = null;
    private begun = 0;
    gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    connect = (target: unknown) => (this.target = target);
    start = (time: number) => (this.begun = time);
    stop(time: number): void {
      if ((this.target as FakeNode).target === "loudspeakers") voices.push([this.begun, time]);
    }
  }
  class FakeContext {
    currentTime = 10;
    destination = "loudspeakers";
    constructor() {
      contexts += 1;
    }
    resume = () => Promise.resolve();
  }
  vi.stubGlobal("AudioContext", FakeContext);
  vi.stubGlobal("OscillatorNode", FakeNode);
  vi.stubGlobal("GainNode", FakeNode);
  vi.stubGlobal("navigator", { userActivation: { hasBeenActive: true } });
  vi.resetModules();
  ({ play } = await import("./sound"));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("every note is heard once from now on, for a short time", () => {
  play("turn");
  play("low");
  expect(voices.map(([begin]) => begin)).toEqual([10, 10.11, 10]);
  for (const [begin, end] of voices) expect(end - begin).toBeLessThan(1);
  expect(contexts).toBe(1); // browsers allow but a few
});

test("nothing is heard by who wants no sound, nor before the page was touched", async () => {
  const fresh = (await import("./settings.svelte")).settings;
  fresh.sound = false;
  play("place");
  fresh.sound = true;
  vi.stubGlobal("navigator", { userActivation: { hasBeenActive: false } });
  play("place");
  expect([voices, contexts]).toEqual([[], 0]);
});
