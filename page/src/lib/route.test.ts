import { expect, test } from "vitest";
import { route } from "./route";

test.each([
  ["/", { page: "home" }],
  ["/new", { page: "new" }],
  ["/mine/", { page: "mine" }],
  ["/m/abc", { page: "table", id: "abc", ply: null }],
  ["/m/abc/12", { page: "table", id: "abc", ply: 12 }],
  ["/m/abc/twelve", { page: "missing" }],
  ["/m", { page: "missing" }],
  ["/join/token", { page: "join", token: "token" }],
  ["/rules/game", { page: "rules", name: "game" }],
  ["/rules/game/more", { page: "missing" }],
  ["/m/abc/1/2", { page: "missing" }],
  ["/settings/1", { page: "missing" }],
])("%s", (path, expected) => {
  expect(route(path)).toEqual(expected);
});
