/** The page's texts. English texts are the keys, as in the catalogues of the library. */

export const LANGUAGES = { en: "English", fr: "Français" } as const;
export type Language = keyof typeof LANGUAGES;
type Arguments = Record<string, string | number>;
type Catalogue = Record<string, string>;

let current: Language = "en";
let words: Catalogue = {};

export const language = (): Language => current;

/** The language of the page: the chosen one, or the first of the browser's that we have. */
export function pickLanguage(chosen: string, browser: readonly string[]): Language {
  const codes = [chosen, ...browser].map((code) => code.split("-")[0]!.toLowerCase());
  return (codes.find((code) => code in LANGUAGES) as Language | undefined) ?? "en";
}

/** Whoever speaks English loads nothing more. */
export async function setLanguage(wish: Language): Promise<void> {
  words = wish === "fr" ? ((await import("../words/fr.json")).default as Catalogue) : {};
  current = wish;
}

function fill(text: string, values: Arguments): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export function t(text: string, values: Arguments = {}): string {
  return fill(words[text] ?? text, values);
}

/** Singular or plural; French counts nothing as one. */
export function n(singular: string, plural: string, count: number): string {
  const isSingular = current === "fr" ? count < 2 : count === 1;
  return t(isSingular ? singular : plural, { n: count });
}

/** A moment, given in seconds since 1970. */
export function date(stamp: number): string {
  return new Date(stamp * 1000).toLocaleString(current, { dateStyle: "medium", timeStyle: "short" });
}
