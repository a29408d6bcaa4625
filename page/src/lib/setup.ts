/** A match in the making: what the page for a new match holds, and what becomes of it. */

import { spec } from "./api";
import type { FischerClock, GameInfo, NewMatch, NewSeat, Occupant, OptionInfo } from "./wire";

export type Value = string | number | boolean;
export const PLAYERS_OPTION = "players"; // the option that says how many seats there are

export const CLOCKS: (FischerClock | null)[] = [
  null,
  { seconds: 180, increment: 2 },
  { seconds: 300, increment: 5 },
  { seconds: 600, increment: 10 },
  { seconds: 1800, increment: 20 },
];

export interface Setup {
  options: Record<string, Value>;
  seats: NewSeat[];
  drawLots: boolean;
  clock: number; // its place in CLOCKS
  leaver: string;
  pair: boolean;
}

export const defaults = (game: GameInfo): Record<string, Value> =>
  Object.fromEntries(game.options.map((option) => [option.name, option.default]));

/** How many seats the chosen options ask for. */
export const seatCount = (game: GameInfo, options: Record<string, Value>): number =>
  Number(options[PLAYERS_OPTION] ?? game.players.low);

/** As many seats as are needed: those there are stay, new ones get a computer. */
export function withSeatCount(seats: NewSeat[], count: number, level: number): NewSeat[] {
  const more = Array.from({ length: count }, (): NewSeat => ({ who: "computer", name: "", level }));
  return [...seats, ...more].slice(0, count);
}

export function swapped(seats: NewSeat[], from: number, to: number): NewSeat[] {
  const changed = [...seats];
  [changed[from], changed[to]] = [seats[to]!, seats[from]!];
  return changed;
}

/** Exactly one seat is "me", if any person of this device plays: the first that says so. What was
 * chosen for a computer that was there before is left out. */
export function normalized(seats: NewSeat[]): NewSeat[] {
  let isTaken = false;
  return seats.map((seat) => {
    const level = seat.who === "computer" ? Math.max(1, seat.level) : 0;
    if (seat.who !== "me") return { ...seat, level };
    const who: Occupant = isTaken ? "same" : "me";
    isTaken = true;
    return { ...seat, who, level };
  });
}

const MOST_LISTED = 8; // numbers that are chosen from; of more one is typed

const numbers = ({ low, high, step }: OptionInfo) => ({ low: low ?? 0, high: high ?? 0, step: step ?? 1 });
const count = (option: OptionInfo): number => {
  const { low, high, step } = numbers(option);
  return Math.floor((high - low) / step) + 1;
};

export const isShort = (option: OptionInfo): boolean => count(option) <= MOST_LISTED;

/** The number with that index in an option's range. */
function numberAt(option: OptionInfo, index: number): number {
  const { low, step } = numbers(option);
  return low + Math.max(0, Math.min(index, count(option) - 1)) * step;
}

/** The number of an option's range that is nearest to what somebody has typed. */
export function nearest(option: OptionInfo, typed: number): number {
  const { low, step } = numbers(option);
  return numberAt(option, Math.round(((typed || 0) - low) / step));
}

export const randomNumber = (option: OptionInfo): number => numberAt(option, Math.floor(Math.random() * count(option)));

export function choices(option: OptionInfo): { value: Value; label: string }[] {
  if (option.values?.length) return option.values;
  const range = Array.from({ length: count(option) }, (_, index) => numberAt(option, index));
  return range.map((value) => ({ value, label: String(value) }));
}

export function newMatch(game: GameInfo, setup: Setup): NewMatch {
  const { seats, drawLots, leaver, pair } = setup;
  const clock = CLOCKS[setup.clock] ?? null;
  return { spec: spec(game, setup.options), seats: normalized(seats), lot: drawLots, leaver, pair: pair && game.pair, clock };
}
