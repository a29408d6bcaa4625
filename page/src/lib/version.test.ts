// @vitest-environment happy-dom
import { type MockInstance, afterEach, beforeEach, expect, test, vi } from "vitest";
import { builtAs } from "../testing/version";

type Version = typeof import("./version.svelte");
let version: Version;
let reload: MockInstance<() => void>;

/** The page anew, of this build and at this address. */
async function load(build: string, address = "/settings"): Promise<void> {
  vi.resetModules();
  builtAs(build);
  history.replaceState(null, "", address);
  version = await import("./version.svelte");
}
const serve = (build: string | null): void => {
  const answer = () => Promise.resolve(new Response(null, { headers: build === null ? {} : { "Roundel-Page": build } }));
  vi.stubGlobal("fetch", vi.fn(answer));
};

beforeEach(() => {
  sessionStorage.clear();
  reload = vi.spyOn(location, "reload").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("a page notices another version, until the server has its own again", async () => {
  await load("one");
  expect([version.isOutdated(), version.versionNotice()]).toEqual([false, ""]);
  version.noteVersion("one");
  expect(version.isOutdated()).toBe(false);
  version.noteVersion("two");
  expect([version.isOutdated(), version.versionNotice()]).toEqual([true, "There is a new version of Roundel."]);
  version.noteVersion("one");
  expect([version.isOutdated(), version.versionNotice()]).toEqual([false, ""]);
});

test("a server that says nothing, or a page without a version, changes nothing", async () => {
  await load("one");
  for (const nothing of ["", null, undefined]) version.noteVersion(nothing);
  expect(version.isOutdated()).toBe(false);
  await load("");
  version.noteVersion("two");
  expect(version.isOutdated()).toBe(false);
});

test("every answer of the server tells its version, also a refusal", async () => {
  await load("one");
  const api = await import("./api");
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}", { status: 404, headers: { "Roundel-Page": "two" } })));
  await expect(api.mine()).rejects.toThrow();
  expect(version.isOutdated()).toBe(true);
});

test("a notice that was dismissed comes back with the next version only", async () => {
  await load("one");
  version.noteVersion("two");
  version.dismissNotice();
  version.noteVersion("two");
  expect([version.isOutdated(), version.versionNotice()]).toEqual([true, ""]);
  version.noteVersion("three");
  expect(version.versionNotice()).toBe("There is a new version of Roundel.");
});

test("a refusal is shown until the server understands the page again", async () => {
  await load("one");
  version.noteRefusal("Please reload.");
  expect(version.versionNotice()).toBe("Please reload.");
  version.noteRefusal("");
  expect(version.versionNotice()).toBe("");
});

test("if a part went away with an upgrade, the new page is loaded, once for each version", async () => {
  await load("one");
  serve("two");
  await version.partMissing();
  expect(reload).toHaveBeenCalledTimes(1);
  await load("one"); // some cache has kept the old page
  await version.partMissing();
  expect(reload).toHaveBeenCalledTimes(1);
  serve("three");
  await version.partMissing();
  expect(reload).toHaveBeenCalledTimes(2);
});

test("an open match is not interrupted: a notice says that there is a new version", async () => {
  await load("one", "/m/abc");
  serve("two");
  await version.partMissing();
  expect(reload).not.toHaveBeenCalled();
  expect(version.versionNotice()).toBe("There is a new version of Roundel.");
});

test("a part that is missing for another reason reloads nothing", async () => {
  await load("one");
  for (const build of ["one", null]) {
    serve(build);
    await version.partMissing();
  }
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  await version.partMissing();
  expect(reload).not.toHaveBeenCalled();
});

test("a browser that keeps nothing could reload for ever, so it does not", async () => {
  await load("one");
  serve("two");
  const getItem = () => {
    throw new DOMException("denied");
  };
  vi.stubGlobal("sessionStorage", { getItem });
  await version.partMissing();
  expect(reload).not.toHaveBeenCalled();
});
