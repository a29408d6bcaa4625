import type { Look } from "../board";

/** How a board without a style looks. */
export const LOOK: Look = {
  pieces: {},
  spots: {},
  spot: "<rect/>",
  defs: "",
  board: "",
  mark: "<circle/>",
  target: "<circle/>",
  scale: {},
  labels: "edges",
  crop: "",
  tray_columns: 2,
  palettes: {},
};
