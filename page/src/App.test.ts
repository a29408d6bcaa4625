// @vitest-environment happy-dom
import { flushSync, mount, unmount } from "svelte";
import { expect, test, vi } from "vitest";
import App from "./App.svelte";
import { go } from "./lib/router.svelte";
import { settings } from "./lib/settings.svelte";

vi.mock("./words/fr.json", () => {
  throw new TypeError("Failed to fetch dynamically imported module");
});

test("a language whose texts cannot be loaded leaves the page as it is", async () => {
  go("/settings", true);
  settings.language = "fr";
  const page = mount(App, { target: document.body });
  await vi.waitFor(() => {
    flushSync();
    expect(document.querySelector("h1")?.textContent).toBe("Settings");
  });
  expect(document.documentElement.lang).toBe("en");
  await unmount(page);
});
