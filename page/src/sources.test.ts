import { expect, test } from "vitest";

const SOURCES = import.meta.glob<string>("./**/*.{ts,svelte,css}", { query: "?raw", import: "default", eager: true });
const LONGEST_LINE = 140; // characters
const LONGEST_FILE = 300; // lines

const files = Object.entries(SOURCES).map(([name, text]) => ({ name, lines: text.trimEnd().split("\n") }));

test("sources are found", () => {
  expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(["./App.svelte", "./board/board.css", "./lib/wire.ts"]));
});

test("no line is too long to be read", () => {
  const long = files.flatMap(({ name, lines }) => lines.flatMap((line, i) => (line.length > LONGEST_LINE ? [`${name}:${i + 1}`] : [])));
  expect(long).toEqual([]);
});

test("no file but tests is too long to be read", () => {
  const long = files.filter(({ name, lines }) => !name.endsWith(".test.ts") && lines.length > LONGEST_FILE);
  expect(long.map(({ name }) => name)).toEqual([]);
});
