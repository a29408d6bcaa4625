/** What the board is called aloud: spots, what lies on them, and what can be done there. */

import type { LabelSpot, Layout, Look, View } from "../board";
import { t } from "./i18n";

/** A piece's name as the look has it, or the name in the view with its hyphens as spaces. */
export function pieceName(look: Look, piece: string): string {
  return look.names?.[piece] ?? piece.replaceAll("-", " ");
}

const COORDINATE = /^[a-z]+[0-9]+$/;

/** What a spot is called in a sentence: by its label, by its coordinate, or by what lies there. */
export function spotName(spot: string, layout: Layout, look: Look, view: View): string {
  const piece = view.pieces[spot]?.at(-1);
  const lying = piece && !COORDINATE.test(spot) ? pieceName(look, piece) : spot;
  return layout.spots[spot]?.label ?? lying;
}

/** Equal pieces in a row are counted. */
function stackName(look: Look, pieces: string[]): string {
  const names = [...new Set(pieces)].map((piece) => {
    const count = pieces.filter((other) => other === piece).length;
    return count > 1 ? `${count} × ${pieceName(look, piece)}` : pieceName(look, piece);
  });
  return names.join(", ") || t("empty");
}

export function spotLabels(look: Look): LabelSpot {
  return ({ spot, pieces, isTarget, isChosen, isLast }) => {
    const states = [
      isChosen && t("chosen"),
      isTarget && t("can be chosen"),
      isLast && t("last move"),
    ].filter(Boolean);
    return [spot, stackName(look, pieces), ...states].join(", ");
  };
}
