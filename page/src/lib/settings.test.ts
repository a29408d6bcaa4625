// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { DEFAULTS, forget, read, save, settings } from "./settings.svelte";

test("nothing, rubbish and strange values give the defaults", () => {
  for (const text of [null, "", "{", "null", "[1]", '{"sound": "loud", "other": 1}']) expect(read(text)).toEqual(DEFAULTS);
});

test("what fits is kept beside what does not", () => {
  expect(read('{"theme": "dark", "sound": 3, "level": 7}')).toEqual({ ...DEFAULTS, theme: "dark", level: 7 });
});

test("what was chosen is kept until it is forgotten, and then nothing is left", () => {
  settings.name = "Anna";
  save();
  expect(read(localStorage.getItem("roundel")).name).toBe("Anna");
  forget();
  expect(settings).toEqual(DEFAULTS);
  expect(localStorage.length).toBe(0);
});
