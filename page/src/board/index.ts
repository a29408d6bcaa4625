/** The board: SVG without a framework, for any game that comes as layout, look, view and paths. */

export { Board } from "./board";
export { RoundelBoard } from "./element";
export type * from "./types";
