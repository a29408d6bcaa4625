/** What the board is given, and what it tells. It knows no rules: everything comes as data. */

export interface Spot {
  x: number;
  y: number;
  /** Spots of the kind "button" are no places: they are buttons under the board. */
  kind: string;
  /** What is written on it, if it is a button. */
  label?: string;
}

/** Where the spots are. Distances are about 1 between neighbours; y goes down. */
export interface Layout {
  spots: Record<string, Spot>;
  lines?: [string, string][];
  labels?: { text: string; x: number; y: number }[];
  trays?: Record<string, string>;
}

/** What lies where now: the pieces of each spot from below, and the trays that are needed now. */
export interface View {
  pieces: Record<string, string[]>;
  trays?: Record<string, string[]>;
}

export type Palette = Record<string, string>;

/** How a game looks: SVG around (0, 0), 100 to a neighbour, with colours as `var(--name)`. */
export interface Look {
  pieces: Record<string, string>;
  /** What pieces are called aloud. */
  names?: Record<string, string>;
  /** By kind; spots of other kinds look like `spot`. */
  spots: Record<string, string>;
  spot: string;
  defs: string;
  board: string;
  mark: string;
  target: string;
  scale: Record<string, number>;
  labels: "edges" | "inside";
  crop: "" | "box" | "near";
  tray_columns: number;
  palettes: Record<string, Palette>;
}

/** Legal actions as click paths: a leaf is the text of an action. */
export interface Paths {
  [spot: string]: Paths | string;
}

export interface State {
  view: View;
  /** Which position it is: an action that changes nothing to be seen leads to another one. */
  ply?: number;
  /** null: nothing can be chosen now. */
  paths: Paths | null;
  /** Players must see for themselves: every spot can be clicked, somebody else judges. */
  unaided?: boolean;
  /** The spots of the last action. */
  last?: string[];
  hint?: string[];
  /** Spots to point at: rows, territories, what is counted. */
  highlight?: string[];
  /** How often the board is turned by its smallest step. */
  turned?: number;
  /** Seen in a mirror. */
  flipped?: boolean;
  coordinates?: boolean;
  animate?: boolean;
  /** The first tap shows what an action does, the second one plays it. */
  confirm?: boolean;
  disabled?: boolean;
  /** Nothing will be chosen any more: buttons are not needed. */
  over?: boolean;
}

export interface Events {
  onaction?(action: string): void;
  /** Unaided: every click, with all spots so far. */
  onpath?(path: string[]): void;
  /** What an action would lead to. */
  onpreview?(action: string): Promise<View | null>;
  /** A click that cannot be. */
  onreason?(spot: string): void;
  /** What is chosen, what can follow, and the action that only waits for a second tap. */
  onchange?(path: string[], next: string[], waiting: string | null): void;
  onannounce?(text: string): void;
}

/** What a spot is called aloud; the page translates. */
export interface SpotState {
  spot: string;
  pieces: string[];
  isTarget: boolean;
  isChosen: boolean;
  isLast: boolean;
}

export type LabelSpot = (spot: SpotState) => string;
