/** Tells "your turn" outside the board: in the title, on the tab's icon. */

export function setTitle(text: string, isMyTurn = false): void {
  document.title = isMyTurn ? `● ${text}` : text;
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  const wanted = isMyTurn ? "/favicon-turn.svg" : "/favicon.svg";
  if (icon && !icon.href.endsWith(wanted)) icon.href = wanted;
}

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // not allowed here: the text can be selected by hand
  }
}
