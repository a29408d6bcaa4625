/** The server's REST interface. Every failure is an `ApiError` with a text for people. */

import type { Look } from "../board";
import { language, t } from "./i18n";
import { noteVersion } from "./version.svelte";
import type {
  CreatedMatch, Frame, GameInfo, Invitation, InvitationDetails, MyMatch, NewMatch, RulesBlock, Snapshot,
} from "./wire";

export class ApiError extends Error {
  constructor(
    text: string,
    readonly status: number,
  ) {
    super(text);
  }
}

async function failure(answer: Response): Promise<ApiError> {
  const data: unknown = await answer.json().catch(() => null);
  const { reason, detail } = (data ?? {}) as { reason?: unknown; detail?: unknown };
  const text = [reason, detail].find((part) => typeof part === "string" && part);
  return new ApiError(
    (text as string | undefined) ?? t("The server refused this ({status}).", { status: answer.status }),
    answer.status,
  );
}

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const address = `/api${path}${path.includes("?") ? "&" : "?"}lang=${language()}`;
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  let answer: Response;
  try {
    answer = await fetch(address, { method, ...sent });
  } catch {
    throw new ApiError(t("The server cannot be reached. Is it running?"), 0);
  }
  noteVersion(answer.headers.get("Roundel-Page"));
  if (!answer.ok) throw await failure(answer);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

const cache = new Map<string, Promise<unknown>>();

/** For what does not change while the page is open; a failure is not kept. */
function cached<T>(path: string): Promise<T> {
  const key = `${language()} ${path}`;
  let answer = cache.get(key) as Promise<T> | undefined;
  if (!answer) {
    answer = request<T>("GET", path);
    answer.catch(() => cache.delete(key));
    cache.set(key, answer);
  }
  return answer;
}

export const games = (): Promise<GameInfo[]> => cached("/games");
export const look = (name: string): Promise<Look> => cached(`/games/${name}/look`);
export const rules = (name: string): Promise<RulesBlock[]> => cached(`/games/${name}/rules`);
export const make = (match: NewMatch): Promise<CreatedMatch> => request("POST", "/matches", match);
export const mine = (): Promise<MyMatch[]> => request("GET", "/mine");
export const snapshot = (id: string): Promise<Snapshot> => request("GET", `/matches/${id}`);
export const frames = (id: string): Promise<Frame[]> => request("GET", `/matches/${id}/frames`);
export const remove = (id: string): Promise<unknown> => request("DELETE", `/matches/${id}`);
export const device = (): Promise<{ device: string }> => request("GET", "/mine/device");
export const forget = (): Promise<{ deleted: number; left: number }> => request("DELETE", "/mine");
export const upload = (text: string): Promise<{ id: string }> => request("POST", "/records", { text });
export const invite = (id: string, seat: number): Promise<Invitation> =>
  request("POST", `/matches/${id}/seats/${seat}/invitation`, {});

export const invited = (token: string): Promise<InvitationDetails> => request("GET", `/invitations/${token}`);
export const accept = (token: string, name: string): Promise<{ match: string; seat: number }> =>
  request("POST", `/invitations/${token}`, { name });

/** A game's spec: only what differs from the defaults is written. */
export function spec(game: GameInfo, values: Record<string, string | number | boolean>): string {
  const parts = game.options
    .filter((option) => option.name in values && values[option.name] !== option.default)
    .map(({ name }) => (values[name] === true ? name : `${name}=${String(values[name])}`));
  return parts.length ? `${game.name}:${parts.join(",")}` : game.name;
}
