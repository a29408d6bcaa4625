import { afterEach, expect, test } from "vitest";
import french from "../words/fr.json";
import { n, pickLanguage, setLanguage, t } from "./i18n";

const STRING = String.raw`"((?:[^"\\]|\\.)*)"`;
const ONE = new RegExp(String.raw`\bt\(\s*${STRING}`, "g");
const TWO = new RegExp(String.raw`\bn\(\s*${STRING},\s*${STRING}`, "g");

const SOURCES = import.meta.glob<string>(["../**/*.{ts,svelte}", "!../**/*.test.ts"], { query: "?raw", import: "default", eager: true });

/** All texts that the page uses, as they stand in the sources. */
function used(): Set<string> {
  const found = Object.values(SOURCES).flatMap((source) => [...source.matchAll(ONE), ...source.matchAll(TWO)]);
  return new Set(found.flatMap(([, ...texts]) => texts).map((text) => JSON.parse(`"${text}"`) as string));
}

const names = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();

afterEach(() => setLanguage("en"));

test("every text has its French, and no French is left over", () => {
  expect(Object.keys(french).sort()).toEqual([...used()].sort());
});

test("French texts name the same things, and are not empty", () => {
  for (const [english, text] of Object.entries(french)) {
    expect(names(text), english).toEqual(names(english));
    expect(text.trim(), english).not.toBe("");
  }
});

test("French signs are not torn off the word before them", () => {
  for (const text of Object.values(french)) expect(text).not.toMatch(/[^\u00a0][;:!?%»]( |$)|«[^\u00a0]/);
});

test("the chosen language comes before the browser's", () => {
  expect(pickLanguage("", ["de-DE", "fr-CA", "en"])).toBe("fr");
  expect(pickLanguage("en", ["fr"])).toBe("en");
  expect(pickLanguage("", ["de"])).toBe("en");
});

test("texts are filled in and counted", async () => {
  expect(t("{spot} cannot be chosen now.", { spot: "e4" })).toBe("e4 cannot be chosen now.");
  expect(n("{n} person is watching", "{n} people are watching", 0)).toBe("0 people are watching");
  await setLanguage("fr");
  expect(n("{n} person is watching", "{n} people are watching", 0)).toBe("0 personne regarde");
});
