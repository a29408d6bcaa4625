/** The sentence beside the board: what to do next, what is waited for, and why a click is no action. */

import { n, t } from "./i18n";
import type { LiveTable } from "./match.svelte";
import { headline, mineOf } from "./table";
import type { Hint, TableState } from "./wire";

/** The part of a live table that the sentence depends on. */
export type Situation = Pick<
  LiveTable,
  "now" | "seats" | "seat" | "isMyTurn" | "paused" | "isSlow" | "thinking" | "acceptedPath" | "isHinting" | "hint"
>;

/** An action under construction, as the board reports it. */
export interface Chosen {
  path: string[];
  next: string[];
  /** The action that only waits for a second tap. */
  waiting: string | null;
}

/** An earlier position that is looked at; its prompt is known once it is loaded. */
export interface Earlier {
  ply: number;
  length: number;
  prompt: string | undefined;
}

type SpotName = (spot: string) => string;

const arrows = (spots: string[], name: SpotName): string => spots.map(name).join(" → ");
const roleToAct = ({ now, seats }: Situation): string => seats[now?.turn ?? 0]?.role ?? "";

/** What to do next: narrower and narrower while an action is being chosen. */
export function prompt(table: Situation, chosen: Chosen, earlier: Earlier | null, name: SpotName): string {
  const { now } = table;
  if (!now) return t("Joining the table …");
  if (earlier) return earlierPrompt(earlier);
  if (now.status === "over") return headline(now);
  const path = now.unaided ? table.acceptedPath : chosen.path;
  return delay(table, now) ?? (path.length ? nextChoice(now, path.map(name), chosen, name) : firstChoice(table, now, name));
}

function earlierPrompt({ ply, length, prompt: own }: Earlier): string {
  const position = t("After move {ply} of {length}.", { ply, length });
  return own === undefined ? position : `${position} ${own}`;
}

/** What keeps this device from acting; null if nothing does. */
function delay(table: Situation, now: TableState): string | null {
  if (table.paused) return table.paused;
  if (table.isSlow) return t("Sending …");
  if (table.thinking?.preparing) return t("Preparing the game. The first time, this takes a minute.");
  const isOthersTurn = now.status === "playing" && table.seat >= 0 && !table.isMyTurn;
  return isOthersTurn ? t("{role} is thinking …", { role: roleToAct(table) }) : null;
}

function firstChoice(table: Situation, now: TableState, name: SpotName): string {
  if (table.isHinting) return t("Looking for a hint …");
  if (table.hint) return hintText(table.hint, name);
  const isYours = table.isMyTurn && mineOf(table.seats).length === 1;
  return isYours ? `${t("Your turn.")} ${now.prompt}` : now.prompt;
}

function nextChoice(now: TableState, names: string[], chosen: Chosen, name: SpotName): string {
  if (chosen.waiting) return t("{action}: tap it again or confirm.", { action: arrows(chosen.path, name) });
  const path = names.join(" ");
  if (now.unaided) return t("{path} … go on.", { path });
  const text = n("{path}: one choice is left.", "{path}: choose one of the {n} marked places.", chosen.next.length);
  return text.replace("{path}", path);
}

function hintText({ spots, action, value }: Hint, name: SpotName): string {
  const values = { action: arrows(spots, name) || action, value: Math.round(value) };
  return t("Hint: {action}. Chance to win {value} %.", values);
}

/** Every click answers: if it cannot be an action, with the reason why. */
export function reason(table: Situation, spot: string, isPast: boolean, name: SpotName): string {
  const { now } = table;
  if (!now || now.status === "over") return t("The match is over.");
  if (isPast) return t("This is an earlier position. Go to the latest one to play.");
  if (now.status === "waiting") return t("The match begins when all seats are taken.");
  if (table.seat < 0) return t("You are watching this match.");
  if (!table.isMyTurn) return t("It is not your turn: {role} plays next.", { role: roleToAct(table) });
  return t("{spot} cannot be chosen now.", { spot: name(spot) });
}
