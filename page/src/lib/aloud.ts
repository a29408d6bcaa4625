/** What the board is called aloud: spots, what lies on them, and what can be done there. */

import type { Look, Words } from "../board";
import { t } from "./words";

/** A piece's name as the look has it, or the name in the view with its hyphens as spaces. */
export function pieceName(look: Look, piece: string): string {
  return look.names?.[piece] ?? piece.replaceAll("-", " ");
}

export function words(look: Look): Words {
  return ({ spot, pieces, isTarget, isChosen, isLast }) => {
    const lying = pieces.map((piece) => pieceName(look, piece)).join(", ") || t("empty");
    const states = [
      isChosen && t("chosen"),
      isTarget && t("can be chosen"),
      isLast && t("last action"),
    ].filter(Boolean);
    return [spot, lying, ...states].join(", ");
  };
}
