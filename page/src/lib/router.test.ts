// @vitest-environment happy-dom
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { builtAs } from "../testing/version";
import { here, start } from "./router.svelte";
import { noteVersion } from "./version.svelte";

/** Whether a click on a link of ours stays in the page. */
function staysInPage(address: string): boolean {
  document.body.innerHTML = `<a href="${address}">there</a>`;
  const click = new MouseEvent("click", { bubbles: true, cancelable: true });
  document.querySelector("a")!.dispatchEvent(click);
  return click.defaultPrevented;
}

beforeAll(() => {
  builtAs("one");
  vi.stubGlobal("scrollTo", () => {});
  start();
});
beforeEach(() => noteVersion("one"));

test("links of ours stay in the page", () => {
  expect(staysInPage("/settings")).toBe(true);
  expect(here.path).toBe("/settings");
  expect(staysInPage("/api/games")).toBe(false);
});

test("once the server has a new version, the next page is of that version", () => {
  noteVersion("two");
  expect(staysInPage("/mine")).toBe(false);
});
