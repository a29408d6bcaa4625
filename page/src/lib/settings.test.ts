import { expect, test } from "vitest";
import { DEFAULTS, read } from "./settings.svelte";

test("nothing, rubbish and strange values give the defaults", () => {
  for (const text of [null, "", "{", "null", "[1]", '{"sound": "loud", "other": 1}']) expect(read(text)).toEqual(DEFAULTS);
});

test("what fits is kept beside what does not", () => {
  expect(read('{"theme": "dark", "sound": 3, "level": 7}')).toEqual({ ...DEFAULTS, theme: "dark", level: 7 });
});
