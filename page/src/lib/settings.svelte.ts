/** What the person at this device prefers; kept in the browser, never sent anywhere. */

export type Choice = "auto" | "on" | "off";

export interface Preferences {
  language: "" | "en" | "fr";
  theme: "system" | "light" | "dark";
  sound: boolean;
  animation: boolean;
  coordinates: boolean;
  confirm: Choice;
  name: string;
  level: number;
}

export const DEFAULTS: Preferences = {
  language: "",
  theme: "system",
  sound: true,
  animation: true,
  coordinates: true,
  confirm: "auto",
  name: "",
  level: 1,
};

const KEY = "roundel";

/** Keeps only what has the type of a default: an old or broken store loses nothing else. */
export function read(text: string | null): Preferences {
  let stored: Record<string, unknown> = {};
  try {
    stored = (JSON.parse(text ?? "{}") as Record<string, unknown>) ?? {};
  } catch {
    return { ...DEFAULTS };
  }
  const kept = Object.entries(stored).filter(
    ([name, value]) => name in DEFAULTS && typeof value === typeof DEFAULTS[name as keyof Preferences],
  );
  return { ...DEFAULTS, ...Object.fromEntries(kept) };
}

function load(): Preferences {
  try {
    return read(localStorage.getItem(KEY));
  } catch {
    return { ...DEFAULTS }; // a browser that keeps nothing
  }
}

export const settings: Preferences = $state(load());

/** Who has chosen nothing leaves nothing in the browser. */
export function save(): void {
  const text = JSON.stringify(settings);
  try {
    if (text === JSON.stringify(DEFAULTS)) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, text);
  } catch {
    // The settings hold until the page is closed.
  }
}

export function forget(): void {
  Object.assign(settings, DEFAULTS);
  save();
}

const media = (query: string): MediaQueryList | null =>
  typeof matchMedia === "function" ? matchMedia(query) : null;

const system = $state({
  dark: media("(prefers-color-scheme: dark)")?.matches ?? false,
  still: media("(prefers-reduced-motion: reduce)")?.matches ?? false,
  coarse: media("(pointer: coarse)")?.matches ?? false,
});

media("(prefers-color-scheme: dark)")?.addEventListener("change", (e) => (system.dark = e.matches));
media("(prefers-reduced-motion: reduce)")?.addEventListener("change", (e) => (system.still = e.matches));
media("(pointer: coarse)")?.addEventListener("change", (e) => (system.coarse = e.matches));

export const theme = (): "light" | "dark" =>
  settings.theme === "system" ? (system.dark ? "dark" : "light") : settings.theme;

export const animates = (): boolean => settings.animation && !system.still;

export const confirms = (): boolean =>
  settings.confirm === "auto" ? system.coarse : settings.confirm === "on";
