/** The version that a build would have written into this page; tests of an upgrade give it one. */
export function builtAs(version: string): void {
  const meta = document.createElement("meta");
  Object.assign(meta, { name: "roundel-page", content: version });
  document.head.replaceChildren(meta);
}
