/**
 * The connection to a table. It comes back by itself when it breaks, notices when a message is missing,
 * and sends again, with the same id, what was never answered: the server plays an id only once.
 */

import type { FromServer, ToServer } from "./wire";

export type ConnectionState = "connecting" | "open" | "lost";

/** What a connection needs of the browser; tests bring their own. */
export interface Environment {
  open(address: string): WebSocket;
  setTimer(run: () => void, milliseconds: number): unknown;
  clearTimer(timer: unknown): void;
  random(): number;
}

const BROWSER: Environment = {
  open: (address) => new WebSocket(address),
  setTimer: (run, milliseconds) => setTimeout(run, milliseconds),
  clearTimer: (timer) => clearTimeout(timer as number),
  random: () => Math.random(),
};

const FIRST_WAIT = 400;
const LONGEST_WAIT = 10_000;
const PING_EVERY = 20_000;
const PONG_WITHIN = 10_000; // after a ping

/** Each attempt waits twice as long, up to ten seconds, with jitter so that not all come at once. */
export function backoff(attempt: number, random: number): number {
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt);
  return wait * (0.5 + random / 2);
}

export class Connection {
  state: ConnectionState = "connecting";
  private socket: WebSocket | null = null;
  private attempt = 0;
  private seq = -1;
  private isSyncing = false;
  private readonly unanswered = new Map<string, ToServer>();
  private retryTimer: unknown = null;
  private silenceTimer: unknown = null;
  private isClosed = false;

  constructor(
    private readonly address: () => string,
    private readonly onmessage: (message: FromServer) => void,
    private readonly onstate: (state: ConnectionState) => void,
    private readonly environment: Environment = BROWSER,
  ) {
    this.connect();
  }

  private connect(): void {
    this.retryTimer = null;
    const socket = this.environment.open(this.address());
    this.socket = socket;
    socket.onmessage = (event) => this.socket === socket && this.receive(JSON.parse(String(event.data)) as FromServer);
    socket.onclose = () => this.socket === socket && this.disconnected();
  }

  private disconnected(): void {
    this.socket = null;
    this.isSyncing = false;
    this.environment.clearTimer(this.silenceTimer);
    if (this.isClosed) return;
    this.setState("lost");
    this.retryTimer = this.environment.setTimer(() => this.connect(), backoff(this.attempt++, this.environment.random()));
  }

  private setState(state: ConnectionState): void {
    if (state === this.state) return;
    this.state = state;
    this.onstate(state);
  }

  private receive(message: FromServer): void {
    this.restartSilenceTimer();
    if (message.t === "event") {
      if (message.seq <= this.seq || this.isSyncing) return; // known already, or in the snapshot to come
      if (message.seq > this.seq + 1) return this.sync();
      this.seq = message.seq;
    }
    if (message.t === "snapshot") return this.restored(message.seq, message);
    if (message.t === "refused" && this.retryLater(message.id, message.retry)) return;
    if ("id" in message) this.unanswered.delete(message.id);
    this.onmessage(message);
  }

  private restored(seq: number, message: FromServer): void {
    this.seq = seq;
    this.isSyncing = false;
    this.attempt = 0;
    this.setState("open");
    this.onmessage(message);
    for (const unanswered of this.unanswered.values()) this.transmit(unanswered);
  }

  /** What a busy server refused is sent again after the time it named; so nobody has to. */
  private retryLater(id: string, retry: number): boolean {
    const message = this.unanswered.get(id);
    if (!message || !retry) return false;
    this.environment.setTimer(() => this.unanswered.has(id) && this.transmit(message), 1000 * retry);
    return true;
  }

  private sync(): void {
    this.isSyncing = true;
    this.transmit({ t: "sync" });
  }

  /** After some silence ask whether anybody is there; no answer means the connection is dead. */
  private restartSilenceTimer(): void {
    this.environment.clearTimer(this.silenceTimer);
    this.silenceTimer = this.environment.setTimer(() => {
      this.transmit({ t: "ping" });
      this.silenceTimer = this.environment.setTimer(() => this.socket?.close(), PONG_WITHIN);
    }, PING_EVERY);
  }

  private transmit(message: ToServer): void {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(message));
  }

  /** Kept until it is answered, and sent again after a break. */
  send(message: ToServer): void {
    if (message.id) this.unanswered.set(message.id, message);
    this.transmit(message);
  }

  /** Sent at most once: an old preview or ping interests nobody. */
  sendOnce(message: ToServer): void {
    this.transmit(message);
  }

  /** A page that comes back from sleep does not wait for the next attempt. */
  wake(): void {
    if (this.retryTimer === null) return this.transmit({ t: "ping" });
    this.environment.clearTimer(this.retryTimer);
    this.connect();
  }

  close(): void {
    this.isClosed = true;
    this.environment.clearTimer(this.retryTimer);
    this.environment.clearTimer(this.silenceTimer);
    this.socket?.close();
  }
}
