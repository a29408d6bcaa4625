/** All boards beside each other, to look at: `npm run dev` and `roundel serve`, then /dev/?theme=dark */

import "./gallery.css";
import { type Layout, type Look, RoundelBoard, type State } from "../src/board";

interface Game {
  name: string;
  title: string;
  sample: State & { layout: Layout };
}

const asked = new URLSearchParams(location.search);
const main = document.querySelector("main")!;

async function json<T>(address: string): Promise<T> {
  return (await (await fetch(address)).json()) as T;
}

async function show({ name, title, sample }: Game): Promise<void> {
  const board = new RoundelBoard();
  board.ariaLabel = title;
  board.id = name;
  main.append(board);
  const look = await json<Look>(`/api/games/${name}/look`);
  const wishes = { turned: Number(asked.get("turned")), flipped: asked.has("flipped") };
  Object.assign(board, { layout: sample.layout, look, state: { ...sample, ...wishes } });
  for (const kind of ["action", "path", "reason", "change"])
    board.addEventListener(kind, (event) => console.info(name, kind, (event as CustomEvent).detail));
}

document.documentElement.dataset.theme = asked.get("theme") ?? "light";
for (const game of await json<Game[]>("/api/games"))
  if (!asked.has("game") || asked.get("game") === game.name) await show(game);
