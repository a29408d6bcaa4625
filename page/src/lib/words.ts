/** The page's texts. English texts are the keys, as in the catalogues of the library. */

export const LANGUAGES = { en: "English", fr: "Français" } as const;
export type Language = keyof typeof LANGUAGES;
type Arguments = Record<string, string | number>;
type Catalogue = Record<string, string>;

let spoken: Language = "en";
let words: Catalogue = {};

export const language = (): Language => spoken;

/** The language to speak: the chosen one, or the first of the browser's that we have. */
export function wanted(chosen: string, browser: readonly string[]): Language {
  const codes = [chosen, ...browser].map((code) => code.split("-")[0]!.toLowerCase());
  return (codes.find((code) => code in LANGUAGES) as Language | undefined) ?? "en";
}

/** Whoever speaks English loads nothing more. */
export async function speak(wish: Language): Promise<void> {
  words = wish === "fr" ? ((await import("../words/fr.json")).default as Catalogue) : {};
  spoken = wish;
}

function fill(text: string, values: Arguments): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export function t(text: string, values: Arguments = {}): string {
  return fill(words[text] ?? text, values);
}

/** One or many; French counts nothing as one. */
export function n(one: string, many: string, count: number): string {
  const single = spoken === "fr" ? count < 2 : count === 1;
  return t(single ? one : many, { n: count });
}

/** A moment, given in seconds since 1970. */
export function date(stamp: number): string {
  return new Date(stamp * 1000).toLocaleString(spoken, { dateStyle: "medium", timeStyle: "short" });
}
