/**
 * The line to a table. It comes back by itself when it breaks, notices when a message is missing,
 * and sends again, with the same id, what was never answered: the server plays an id only once.
 */

import type { FromServer, ToServer } from "./wire";

export type Line = "connecting" | "open" | "lost";

/** What the line needs of its surroundings; tests bring their own. */
export interface Surroundings {
  open(address: string): WebSocket;
  later(run: () => void, milliseconds: number): unknown;
  forget(timer: unknown): void;
  random(): number;
}

const BROWSER: Surroundings = {
  open: (address) => new WebSocket(address),
  later: (run, milliseconds) => setTimeout(run, milliseconds),
  forget: (timer) => clearTimeout(timer as number),
  random: () => Math.random(),
};

const FIRST_WAIT = 400;
const LONGEST_WAIT = 10_000;
const PING_EVERY = 20_000;
const SILENCE = 10_000; // after a ping

/** Each attempt waits twice as long, up to ten seconds, with jitter so that not all come at once. */
export function backoff(attempt: number, random: number): number {
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt);
  return wait * (0.5 + random / 2);
}

export class Connection {
  line: Line = "connecting";
  private socket: WebSocket | null = null;
  private attempt = 0;
  private seq = -1;
  private isSyncing = false;
  private readonly unanswered = new Map<string, ToServer>();
  private retry: unknown = null;
  private beat: unknown = null;
  private isClosed = false;

  constructor(
    private readonly address: () => string,
    private readonly ontake: (message: FromServer) => void,
    private readonly online: (line: Line) => void,
    private readonly around: Surroundings = BROWSER,
  ) {
    this.connect();
  }

  private connect(): void {
    this.retry = null;
    const socket = this.around.open(this.address());
    this.socket = socket;
    socket.onmessage = (event) => this.socket === socket && this.receive(JSON.parse(String(event.data)) as FromServer);
    socket.onclose = () => this.socket === socket && this.lost();
  }

  private lost(): void {
    this.socket = null;
    this.isSyncing = false;
    this.around.forget(this.beat);
    if (this.isClosed) return;
    this.become("lost");
    this.retry = this.around.later(() => this.connect(), backoff(this.attempt++, this.around.random()));
  }

  private become(line: Line): void {
    if (line === this.line) return;
    this.line = line;
    this.online(line);
  }

  private receive(message: FromServer): void {
    this.listen();
    if (message.t === "event") {
      if (message.seq <= this.seq || this.isSyncing) return; // told already, or the snapshot will
      if (message.seq > this.seq + 1) return this.sync();
      this.seq = message.seq;
    }
    if (message.t === "snapshot") return this.restore(message.seq, message);
    if (message.t === "refused" && this.isAgain(message.id, message.retry)) return;
    if ("id" in message) this.unanswered.delete(message.id);
    this.ontake(message);
  }

  private restore(seq: number, message: FromServer): void {
    this.seq = seq;
    this.isSyncing = false;
    this.attempt = 0;
    this.become("open");
    this.ontake(message);
    for (const waiting of this.unanswered.values()) this.put(waiting);
  }

  /** What a busy server refused is sent again after the time it named; so nobody has to. */
  private isAgain(id: string, retry: number): boolean {
    const waiting = this.unanswered.get(id);
    if (!waiting || !retry) return false;
    this.around.later(() => this.unanswered.has(id) && this.put(waiting), 1000 * retry);
    return true;
  }

  private sync(): void {
    this.isSyncing = true;
    this.put({ t: "sync" });
  }

  /** After some silence ask whether anybody is there; no answer means the line is dead. */
  private listen(): void {
    this.around.forget(this.beat);
    this.beat = this.around.later(() => {
      this.put({ t: "ping" });
      this.beat = this.around.later(() => this.socket?.close(), SILENCE);
    }, PING_EVERY);
  }

  private put(message: ToServer): void {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(message));
  }

  /** Kept until it is answered, and sent again after a break. */
  send(message: ToServer): void {
    if (message.id) this.unanswered.set(message.id, message);
    this.put(message);
  }

  /** Sent at most once: an old preview or ping interests nobody. */
  whisper(message: ToServer): void {
    this.put(message);
  }

  /** A page that comes back from sleep does not wait for the next attempt. */
  wake(): void {
    if (this.retry === null) return this.put({ t: "ping" });
    this.around.forget(this.retry);
    this.connect();
  }

  close(): void {
    this.isClosed = true;
    this.around.forget(this.retry);
    this.around.forget(this.beat);
    this.socket?.close();
  }
}
