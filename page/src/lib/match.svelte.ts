/** A table as this page knows it: what the server told last, and what it is asked for. */

import type { View } from "../board";
import { Connection, type Line } from "./socket";
import type { Entry, EventMessage, FromServer, Happening, Hint, Now, Snapshot, Table, Thinking, ToServer } from "./wire";
import { language } from "./words";

const SAID_FOR = 6000; // milliseconds that a phrase stays
const PREVIEW_WAIT = 3000;
const PATIENCE = 500;

export interface Listener {
  onhappening(event: Happening, before: Now, now: Now): void;
  onrefused(reason: string): void;
}

function fresh(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function address(id: string): string {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${location.host}/ws?match=${encodeURIComponent(id)}&lang=${language()}`;
}

export class LiveTable {
  table = $state.raw<Table | null>(null);
  now = $state.raw<Now | null>(null);
  history = $state.raw<Entry[]>([]);
  line = $state<Line>("connecting");
  present = $state.raw<boolean[]>([]);
  watching = $state(0);
  thinking = $state.raw<Thinking | null>(null);
  hint = $state.raw<Hint | null>(null);
  /** A hint was asked for and has not come yet. */
  isHinting = $state(false);
  said = $state.raw<{ seat: number; phrase: number | string } | null>(null);
  notice = $state("");
  paused = $state(""); // why nothing can be saved and clocks stand still; empty: nothing is wrong
  /** When the clocks were told, by this page's own clock. */
  toldAt = $state(0);
  /** An action has been on its way for so long that its sender should be told. */
  isSlow = $state(false);
  path = $state.raw<string[]>([]); // unaided: what the server has taken so far
  private readonly connection: Connection;
  private readonly previews = new Map<string, (view: View | null) => void>();
  private acting = "";
  private hinting = "";
  private patience = 0;

  constructor(
    readonly id: string,
    private readonly listener: Listener,
  ) {
    this.connection = new Connection(() => address(id), (message) => this.take(message), (line) => (this.line = line));
  }

  get seats() {
    return this.now?.seats ?? this.table?.seats ?? [];
  }

  /** The seat that this device acts for: the one to act if it is ours, otherwise our first. */
  get seat(): number {
    const turn = this.now?.turn ?? null;
    if (turn !== null && this.seats[turn]?.mine) return turn;
    return this.seats.findIndex((seat) => seat.mine);
  }

  get isMyTurn(): boolean {
    const { now } = this;
    return now?.status === "playing" && now.turn !== null && !!this.seats[now.turn]?.mine;
  }

  // -- What comes -----------------------------------------------------------------

  private take(message: FromServer): void {
    switch (message.t) {
      case "snapshot":
        return this.restore(message);
      case "event":
        this.answered(message.id);
        return this.happen(message);
      case "ack":
        return this.answered(message.id);
      case "refused":
        return this.refused(message.id, message.reason);
      case "more":
        this.answered(message.id);
        this.path = message.path;
        return;
      case "preview":
        return this.settle(message.id, message.view);
      case "hint":
        this.hint = message;
        this.isHinting = false;
        return;
      case "thinking":
        this.thinking = message.seat === null ? null : message;
        return;
      case "presence":
        this.present = message.seats;
        this.watching = message.watching;
        return;
      case "paused":
        this.paused = message.reason;
        return;
      case "notice":
        this.notice = message.text;
    }
  }

  private refused(id: string, reason: string): void {
    const isLate = id === this.hinting && !this.isHinting; // nobody waits for that hint any more
    if (id === this.hinting) this.isHinting = false;
    this.answered(id);
    this.path = [];
    if (!isLate) this.listener.onrefused(reason);
  }

  private restore({ table, now, history }: Snapshot): void {
    this.table = table;
    this.history = history;
    this.adopt(now);
    this.present = now.seats.map((seat) => seat.present);
    this.thinking = null;
    this.paused = ""; // if it lasts, it is told next
  }

  private happen({ event, now, kept, history }: EventMessage): void {
    const before = this.now;
    this.history = [...this.history.slice(0, kept), ...history];
    this.adopt(now);
    if (event.kind === "said") this.say(event);
    if (before) this.listener.onhappening(event, before, now);
  }

  private adopt(now: Now): void {
    if (now.ply !== this.now?.ply || now.game !== this.now.game) this.path = [];
    this.now = now;
    this.hint = null;
    this.isHinting = false;
    this.toldAt = performance.now();
  }

  private say(event: Happening): void {
    const said = { seat: event.seat ?? -1, phrase: event.phrase ?? "" };
    this.said = said;
    setTimeout(() => this.said === said && (this.said = null), SAID_FOR);
  }

  private answered(id: string): void {
    if (id !== this.acting) return;
    clearTimeout(this.patience);
    this.isSlow = false;
  }

  private settle(id: string, view: View | null): void {
    this.previews.get(id)?.(view);
    this.previews.delete(id);
  }

  // -- What is asked for ----------------------------------------------------------

  private send(message: Omit<ToServer, "match" | "id">): string {
    const id = fresh();
    if (message.t === "act") this.await(id);
    this.connection.send({ ...message, match: this.id, seat: message.seat ?? this.seat, id });
    return id;
  }

  private await(id: string): void {
    this.acting = id;
    clearTimeout(this.patience);
    this.patience = setTimeout(() => (this.isSlow = true), PATIENCE) as unknown as number;
  }

  act(action: string): void {
    if (this.now) this.send({ t: "act", ply: this.now.ply, action });
  }

  /** Unaided: the server judges the clicks. */
  click(path: string[]): void {
    if (this.now) this.send({ t: "act", ply: this.now.ply, path });
  }

  do(what: string, more: Partial<ToServer> = {}): void {
    this.send({ t: "do", what, ...more });
  }

  askHint(): void {
    this.hinting = this.send({ t: "do", what: "hint" });
    [this.isHinting, this.hint] = [true, null];
  }

  preview(action: string): Promise<View | null> {
    const id = fresh();
    const { promise, resolve } = Promise.withResolvers<View | null>();
    this.previews.set(id, resolve);
    this.connection.whisper({ t: "preview", match: this.id, seat: this.seat, ply: this.now?.ply ?? 0, action, id });
    setTimeout(() => this.settle(id, null), PREVIEW_WAIT);
    return promise;
  }

  wake(): void {
    this.connection.wake();
  }

  close(): void {
    clearTimeout(this.patience);
    this.connection.close();
  }
}
