/** What goes over the wire: the socket's messages and the answers of the REST interface. */

import type { Layout, Paths, View } from "../board";

/** Which of its changes that older pages cannot cope with this page knows; the server refuses others. */
export const PROTOCOL = 1;

export interface Seat {
  name: string;
  kind: "person" | "computer" | "open";
  level: number;
  level_name: string;
  elo: number | null;
  role: string;
  piece: string;
  mine: boolean;
  out: boolean;
  present: boolean;
}

export interface FischerClock {
  seconds: number;
  increment: number;
}

export interface TableInfo {
  id: string;
  spec: string;
  game: string;
  title: string;
  options: string[];
  clock: FischerClock | null;
  leaver: string;
  pair: boolean;
  seats: Seat[];
  layout: Layout;
  look: string;
  created: number;
  phrases: string[];
}

export interface AccountItem {
  text: string;
  spots: string[];
  seat: number | null;
  points: number | null;
}

export interface Offer {
  what: "draw" | "takeback";
  seat: number;
}

export interface TableState {
  status: "waiting" | "playing" | "over";
  result: string;
  reason: string;
  outcome: string;
  account: AccountItem[] | null;
  ply: number;
  turn: number | null;
  prompt: string;
  view: View;
  last: string[];
  paths: Paths | null;
  unaided: boolean;
  points: number[] | null;
  clocks: number[] | null;
  running: number | null;
  offers: Offer[];
  can: string[];
  game: number;
  seats: Seat[];
  rematch: string | null;
}

export interface Entry {
  ply: number;
  seat: number;
  text: string;
  passed: number[];
  left: number;
  game: number;
}

export interface TableEvent {
  kind: string;
  seat?: number;
  phrase?: number | string;
  [field: string]: unknown;
}

export interface Snapshot {
  t: "snapshot";
  seq: number;
  table: TableInfo;
  now: TableState;
  history: Entry[];
  /** The version of the page that the server has. */
  page: string;
}

export interface EventMessage {
  t: "event";
  seq: number;
  /** Of the message that it answers. */
  id: string;
  event: TableEvent;
  now: TableState;
  kept: number;
  history: Entry[];
}

export interface Hint {
  t: "hint";
  id: string;
  action: string;
  spots: string[];
  line: string;
  value: number;
}

export interface Thinking {
  t: "thinking";
  seat: number | null;
  seconds: number;
  depth: number;
  value: number;
  preparing: boolean;
}

export type FromServer =
  | Snapshot
  | EventMessage
  | Hint
  | Thinking
  | { t: "ack"; id: string; seq: number }
  | { t: "refused"; id: string; code: string; reason: string; retry: number }
  | { t: "more"; id: string; path: string[] }
  | { t: "preview"; id: string; view: View | null }
  | { t: "presence"; seats: boolean[]; watching: number }
  | { t: "paused"; reason: string }
  | { t: "notice"; text: string }
  | { t: "pong" };

export interface ToServer {
  t: "act" | "do" | "preview" | "sync" | "ping";
  id?: string;
  match?: string;
  seat?: number;
  ply?: number;
  action?: string;
  path?: string[];
  what?: string;
  offer?: string;
  yes?: boolean;
  phrase?: number;
  against?: number;
}

export interface OptionInfo {
  name: string;
  label: string;
  help: string;
  kind: "flag" | "number" | "choice";
  values: { value: string | number | boolean; label: string }[] | null;
  low: number | null;
  high: number | null;
  step: number | null;
  default: string | number | boolean;
}

export interface Level {
  level: number;
  name: string;
  elo: number | null;
  error: number | null;
}

export interface GameInfo {
  name: string;
  title: string;
  tagline: string;
  players: { low: number; high: number };
  options: OptionInfo[];
  pair: boolean;
  seats: Record<string, { role: string; piece: string }[]>;
  levels: Record<string, Level[]>;
  sample: { spec: string; layout: Layout; view: View };
  formats: string[];
  ready: boolean;
}

export type Occupant = "me" | "friend" | "same" | "computer";

export interface NewSeat {
  who: Occupant;
  name: string;
  level: number;
}

export interface NewMatch {
  spec: string;
  seats: NewSeat[];
  lot: boolean;
  clock: FischerClock | null;
  leaver: string;
  pair: boolean;
}

export interface Invitation {
  url: string;
  qr: string;
}

export interface CreatedMatch {
  id: string;
  seats: { seat: number; key: string | null; invitation: Invitation | null }[];
}

export interface Frame {
  view: View;
  last: string[];
  prompt: string;
  text: string;
  seat: number | null;
}

export interface MyMatch {
  id: string;
  spec: string;
  game: string;
  title: string;
  created: number;
  finished: number | null;
  result: string;
  seats: { kind: Seat["kind"]; name: string; level: number }[];
  mine: number[];
  turn: number | null;
}

export interface InvitationDetails {
  match: string;
  seat: number;
  title: string;
  options: string[];
  is_friend: boolean;
  seats: Seat[];
}

export type RulesBlock =
  | { html: string }
  | { spec: string; layout: Layout; view: View };
