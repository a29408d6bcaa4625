/** Which page is shown: a small router over the browser's history. */

import { isOutdated } from "./version.svelte";

export const here = $state({ path: location.pathname, query: location.search });

export function go(address: string, replace = false): void {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  readAddress();
  if (!replace) scrollTo(0, 0);
}

function readAddress(): void {
  here.path = location.pathname;
  here.query = location.search;
}

/** Plain clicks on our own links stay in the page, unless the server has a newer one; all others are the browser's business. */
function followLink(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest?.("a");
  const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
  const ours = link.origin === location.origin && !/^\/(api|docs|health|metrics)\b/.test(link.pathname);
  if (!ours || link.hash || isOutdated()) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

export function start(): void {
  addEventListener("popstate", readAddress);
  document.addEventListener("click", followLink);
}
