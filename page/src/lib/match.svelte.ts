/** A table as this page knows it: what the server sent last, and what is requested of it. */

import type { View } from "../board";
import { language } from "./i18n";
import { Connection, type ConnectionState } from "./socket";
import { sentence } from "./table";
import { noteRefusal, noteVersion } from "./version.svelte";
import { PROTOCOL } from "./wire";
import type { Entry, EventMessage, FromServer, Hint, Snapshot, TableEvent, TableInfo, TableState, Thinking, ToServer } from "./wire";

const PHRASE_SHOWN_FOR = 6000; // milliseconds that a phrase stays
const PREVIEW_WAIT = 3000;
const SLOW_AFTER = 500;

export interface Listener {
  onevent(event: TableEvent, before: TableState, now: TableState): void;
  onrefused(reason: string): void;
}

function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function socketUrl(id: string): string {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${location.host}/ws?match=${encodeURIComponent(id)}&lang=${language()}&protocol=${PROTOCOL}`;
}

export class LiveTable {
  table = $state.raw<TableInfo | null>(null);
  now = $state.raw<TableState | null>(null);
  history = $state.raw<Entry[]>([]);
  connectionState = $state<ConnectionState>("connecting");
  present = $state.raw<boolean[]>([]);
  watching = $state(0);
  thinking = $state.raw<Thinking | null>(null);
  hint = $state.raw<Hint | null>(null);
  /** A hint was asked for and has not come yet. */
  isHinting = $state(false);
  lastPhrase = $state.raw<{ seat: number; phrase: number | string } | null>(null);
  notice = $state("");
  paused = $state(""); // why nothing can be saved and clocks stand still; empty: nothing is wrong
  /** When the clocks of `now` arrived, by this page's own clock. */
  receivedAt = $state(0);
  /** An action has been on its way for so long that its sender should know. */
  isSlow = $state(false);
  acceptedPath = $state.raw<string[]>([]); // unaided: what the server has taken so far
  private readonly connection: Connection;
  private readonly previews = new Map<string, (view: View | null) => void>();
  private pendingAction = "";
  private pendingHint = "";
  private slowTimer = 0;

  constructor(
    readonly id: string,
    private readonly listener: Listener,
  ) {
    this.connection = new Connection(() => socketUrl(id), (message) => this.receive(message), (state) => (this.connectionState = state));
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

  // -- What arrives ---------------------------------------------------------------

  private receive(message: FromServer): void {
    switch (message.t) {
      case "snapshot":
        return this.applySnapshot(message);
      case "event":
        this.actionAnswered(message.id);
        return this.applyEvent(message);
      case "ack":
        return this.actionAnswered(message.id);
      case "refused":
        if (message.code === "reload") return noteRefusal(sentence(message.reason));
        return this.refused(message.id, message.reason);
      case "more":
        this.actionAnswered(message.id);
        this.acceptedPath = message.path;
        return;
      case "preview":
        return this.resolvePreview(message.id, message.view);
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
    const isLate = id === this.pendingHint && !this.isHinting; // nobody waits for that hint any more
    if (id === this.pendingHint) this.isHinting = false;
    this.actionAnswered(id);
    this.acceptedPath = [];
    if (!isLate) this.listener.onrefused(reason);
  }

  private applySnapshot({ table, now, history, page }: Snapshot): void {
    noteVersion(page);
    noteRefusal("");
    this.table = table;
    this.history = history;
    this.setNow(now);
    this.present = now.seats.map((seat) => seat.present);
    this.thinking = null;
    this.paused = ""; // if it lasts, the next message says so
  }

  private applyEvent({ event, now, kept, history }: EventMessage): void {
    const before = this.now;
    this.history = [...this.history.slice(0, kept), ...history];
    this.setNow(now);
    if (event.kind === "said") this.showPhrase(event);
    if (before) this.listener.onevent(event, before, now);
  }

  private setNow(now: TableState): void {
    if (now.ply !== this.now?.ply || now.game !== this.now.game) this.acceptedPath = [];
    this.now = now;
    this.hint = null;
    this.isHinting = false;
    this.receivedAt = performance.now();
  }

  private showPhrase(event: TableEvent): void {
    const phrase = { seat: event.seat ?? -1, phrase: event.phrase ?? "" };
    this.lastPhrase = phrase;
    setTimeout(() => this.lastPhrase === phrase && (this.lastPhrase = null), PHRASE_SHOWN_FOR);
  }

  private actionAnswered(id: string): void {
    if (id !== this.pendingAction) return;
    clearTimeout(this.slowTimer);
    this.isSlow = false;
  }

  private resolvePreview(id: string, view: View | null): void {
    this.previews.get(id)?.(view);
    this.previews.delete(id);
  }

  // -- What is requested ----------------------------------------------------------

  private send(message: Omit<ToServer, "match" | "id">): string {
    const id = newId();
    if (message.t === "act") this.expectAnswer(id);
    this.connection.send({ ...message, match: this.id, seat: message.seat ?? this.seat, id });
    return id;
  }

  private expectAnswer(id: string): void {
    this.pendingAction = id;
    clearTimeout(this.slowTimer);
    this.slowTimer = setTimeout(() => (this.isSlow = true), SLOW_AFTER) as unknown as number;
  }

  act(action: string): void {
    if (this.now) this.send({ t: "act", ply: this.now.ply, action });
  }

  /** Unaided: the server judges the clicks. */
  sendClicks(path: string[]): void {
    if (this.now) this.send({ t: "act", ply: this.now.ply, path });
  }

  request(what: string, more: Partial<ToServer> = {}): void {
    this.send({ t: "do", what, ...more });
  }

  requestHint(): void {
    this.pendingHint = this.send({ t: "do", what: "hint" });
    [this.isHinting, this.hint] = [true, null];
  }

  preview(action: string): Promise<View | null> {
    const id = newId();
    const { promise, resolve } = Promise.withResolvers<View | null>();
    this.previews.set(id, resolve);
    this.connection.sendOnce({ t: "preview", match: this.id, seat: this.seat, ply: this.now?.ply ?? 0, action, id });
    setTimeout(() => this.resolvePreview(id, null), PREVIEW_WAIT);
    return promise;
  }

  wake(): void {
    this.connection.wake();
  }

  close(): void {
    clearTimeout(this.slowTimer);
    this.connection.close();
  }
}
