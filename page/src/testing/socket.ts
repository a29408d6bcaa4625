/** The server's end of a socket, in the hand of a test. */

import type { ToServer } from "../lib/wire";

export class FakeSocket {
  readyState = 1;
  sent: ToServer[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly address = "") {}

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ToServer);
  }

  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }

  /** What the server says. */
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}
