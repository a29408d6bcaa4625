/** Stepping through a match: `null` is the latest position, whatever is played meanwhile. */

export type Cursor = number | null;

/** Whether an earlier position is looked at; one that was taken back is not there any more. */
export const isEarlier = (cursor: Cursor, length: number): cursor is number => cursor !== null && cursor < length;

/** How many actions led to the position that is shown. */
export const shownPly = (cursor: Cursor, length: number): number => (isEarlier(cursor, length) ? cursor : length);

/** The cursor for a ply: from the last one on, new actions are followed. */
export function cursorAt(ply: Cursor, length: number): Cursor {
  const wanted = Math.max(0, ply ?? length);
  return wanted >= length ? null : wanted;
}
