/** From a wish to a match: used by the home page's buttons and the page for a new match. */

import * as api from "./api";
import { go } from "./router.svelte";
import { settings } from "./settings.svelte";
import type { GameInfo, Invitation, NewMatch, NewSeat, Occupant } from "./wire";

/** Links that were given out while this page is open, by match and seat. */
export const invitations = new Map<string, Invitation>();

export async function createMatch(match: NewMatch): Promise<void> {
  const made = await api.make(match);
  for (const { seat, invitation } of made.seats) {
    if (invitation) invitations.set(`${made.id} ${seat}`, invitation);
  }
  go(`/m/${made.id}`);
}

export const newSeat = (who: Occupant, level = settings.level): NewSeat => ({
  who,
  name: who === "me" ? settings.name : "",
  level: who === "computer" ? level : 0,
});

/** A match of a game with all defaults: me against others of one kind. With place -1 seats are drawn by lot. */
export function defaultMatch(game: GameInfo, other: Occupant, place = 0): NewMatch {
  const seats = Array.from({ length: game.players.low }, (_, index) => newSeat(index === Math.max(0, place) ? "me" : other));
  return { spec: game.name, seats, lot: place < 0 || other === "friend", clock: null, leaver: "computer", pair: false };
}
