import { describe, expect, it } from "vitest";
import { Choice, actionsOf, follow, spotsOf, typedAction } from "./choice";
import type { Paths } from "./types";

const PATHS: Paths = { e3: { e8: "e3-e8", e4: "e3-e4" }, d1: { e4: "d1-e4" }, stop: "stop" };

describe("narrowing", () => {
  it("goes on along a path, or begins anew", () => {
    const choice = new Choice(PATHS);
    expect(choice.next).toEqual(["e3", "d1", "stop"]);
    choice.path = choice.reach("e3")!.path;
    expect(choice.next).toEqual(["e8", "e4"]);
    expect(choice.completes("e4")).toBe("e3-e4");
    expect(choice.reach("e4")).toEqual({ path: ["e3", "e4"], node: "e3-e4" });
    expect(choice.reach("d1")!.path).toEqual(["d1"]);
    expect(choice.reach("a1")).toBeNull();
  });

  it("lets what waits be changed for another end", () => {
    const choice = new Choice(PATHS);
    [choice.path, choice.waiting] = [["e3", "e4"], "e3-e4"];
    expect(choice.next).toEqual(["e8", "e4"]);
    expect(choice.reach("e8")).toEqual({ path: ["e3", "e8"], node: "e3-e8" });
    expect(choice.completes("e8")).toBe("e3-e8");
    expect(choice.clear()).toBe(true);
    expect(choice.clear()).toBe(false);
    expect(choice.waiting).toBeNull();
  });

  it("offers nothing when there is nothing to choose", () => {
    const choice = new Choice(null);
    expect(choice.next).toEqual([]);
    expect(choice.beginnings).toEqual([]);
    expect(choice.reach("e3")).toBeNull();
  });

  it("takes no name of the language for a spot", () => {
    expect(follow(PATHS, ["constructor"])).toBeNull();
    expect(follow(PATHS, ["stop", "length"])).toBeNull();
  });
});

describe("paths", () => {
  it("have leaves and spots", () => {
    expect(actionsOf(PATHS)).toHaveLength(4);
    expect(actionsOf(PATHS)[0]).toEqual(["e3-e8", ["e3", "e8"]]);
    expect([...spotsOf(PATHS)].sort()).toEqual(["d1", "e3", "e4", "e8", "stop"]);
  });

  it("are found by what is typed", () => {
    expect(typedAction(PATHS, " e3-e8 ")).toBe("e3-e8");
    expect(typedAction(PATHS, "E3-E8")).toBe("e3-e8");
    expect(typedAction(PATHS, "e3 e8")).toBe("e3-e8");
    for (const text of ["a b", "a,b", "A, b", "a-b"]) expect(typedAction({ a: { b: "xab" } }, text)).toBe("xab");
    expect(typedAction(PATHS, "stop")).toBe("stop");
    expect(typedAction(PATHS, "e3-e")).toBeNull();
    expect(typedAction(PATHS, "")).toBeNull();
  });

  it("that differ only in capitals are told apart by them", () => {
    const both: Paths = { a: "Ra", b: "ra" };
    expect(typedAction(both, "Ra")).toBe("Ra");
    expect(typedAction(both, "ra")).toBe("ra");
    expect(typedAction(both, "RA")).toBeNull();
  });
});
