/** What the table's page works out of the server's data; no browser in it. */

import { t } from "./i18n";
import type { Entry, Seat, TableState } from "./wire";

export interface Row {
  /** Index of the entry, from 0. */
  index: number;
  number: string;
  entry: Entry;
}

/** The list of actions, numbered by turns: all actions that a seat takes in a row share a number. */
export function rows(history: Entry[]): Row[] {
  let turn = 0;
  return history.map((entry, index) => {
    const before = history[index - 1];
    if (before && before.game !== entry.game) turn = 0;
    const isNew = before?.seat !== entry.seat || before.game !== entry.game || entry.passed.length > 0;
    if (isNew) turn += 1;
    return { index, entry, number: isNew ? `${turn}.` : "" };
  });
}

export const seatLabel = (seat: Seat): string => seat.name || (seat.kind === "computer" ? seat.level_name : seat.role);

export function names(seats: Seat[], which: number[]): string {
  return which.map((seat) => seats[seat]?.role ?? "").join(", ");
}

/** Who was skipped before an action, in words; "" if nobody. */
export function passedText(seats: Seat[], passed: number[]): string {
  return passed.length ? t("{names} skipped", { names: names(seats, passed) }) : "";
}

/** Everyone at the table is either the computer or on this device. */
export function isAlone(seats: Seat[]): boolean {
  return seats.every((seat) => seat.kind === "computer" || seat.mine);
}

/** What the server says, as a sentence that others can follow. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");
}

export type Ending = "won" | "lost" | "draw" | "other";

/** How a result is for whoever holds those seats; "other" if that is nobody, or several. */
export function ending(result: string, mine: number[]): Ending {
  if (result === "draw") return "draw";
  if (!result || mine.length !== 1) return "other";
  return result.includes(`p${mine[0]! + 1}`) ? "won" : "lost";
}

/** How a finished match ended, for whoever looks at it. */
export function headline({ result, outcome, seats }: Pick<TableState, "result" | "outcome" | "seats">): string {
  const kind = ending(result, mineOf(seats));
  const mine = { won: t("You won"), lost: t("You lost"), draw: "", other: "" }[kind];
  return mine ? `${mine} · ${outcome}` : outcome;
}

export const mineOf = (seats: Seat[]): number[] => seats.flatMap((seat, index) => (seat.mine ? [index] : []));
