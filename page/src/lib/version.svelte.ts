/** Which build of the page this is, and which one the server has: it may be upgraded while a match is open. */

import { t } from "./i18n";
import { route } from "./route";

const RELOADED = "roundel-reloaded"; // the version for which this tab has reloaded by itself

const server = $state({ version: "", dismissed: "", refusal: "" });

/** The build writes it into the page; a page in development has none. */
const ownVersion = (): string => globalThis.document?.querySelector<HTMLMetaElement>("meta[name=roundel-page]")?.content ?? "";

/** What the server says of the page that it would give us now; without a built page it says nothing. */
export function noteVersion(version: string | null | undefined): void {
  if (version) server.version = version;
}

export const isOutdated = (): boolean => !!server.version && !!ownVersion() && server.version !== ownVersion();

/** The server does not understand this page, and says why; an empty text: it does again. */
export function noteRefusal(reason: string): void {
  server.refusal = reason;
}

/** What people are told about it; empty: nothing. */
export function versionNotice(): string {
  if (server.refusal) return server.refusal;
  return isOutdated() && server.dismissed !== server.version ? t("There is a new version of Roundel.") : "";
}

export function dismissNotice(): void {
  [server.dismissed, server.refusal] = [server.version, ""];
}

/**
 * A part of this page could not be loaded. If it went away with an upgrade, the new page is loaded instead;
 * but a match is never interrupted: there, a notice leaves that to the person.
 */
export async function partMissing(): Promise<void> {
  const answer = await fetch("/", { method: "HEAD", cache: "no-store" }).catch(() => null);
  noteVersion(answer?.headers.get("Roundel-Page"));
  if (isOutdated() && route(location.pathname).page !== "table" && isFirstReload(server.version)) location.reload();
}

/** Once for each version: if an old page comes again, from some cache, it stays. */
function isFirstReload(version: string): boolean {
  try {
    if (sessionStorage.getItem(RELOADED) === version) return false;
    sessionStorage.setItem(RELOADED, version);
    return true;
  } catch {
    return false; // a browser that keeps nothing could go on for ever
  }
}
