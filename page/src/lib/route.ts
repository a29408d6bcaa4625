/** What an address of the page stands for. */

export type Route =
  | { page: "home" | "new" | "settings" | "mine" | "missing" }
  | { page: "table"; id: string; ply: number | null }
  | { page: "join"; token: string }
  | { page: "rules"; name: string };

export function route(path: string): Route {
  const [first = "", second = "", third = "", ...more] = path.split("/").slice(1).filter(Boolean);
  if (more.length) return { page: "missing" };
  if (!first) return { page: "home" };
  if (!second && (first === "new" || first === "settings" || first === "mine")) return { page: first };
  if (first === "m" && second && /^\d*$/.test(third))
    return { page: "table", id: second, ply: third ? Number(third) : null };
  if (first === "join" && second && !third) return { page: "join", token: second };
  if (first === "rules" && second && !third) return { page: "rules", name: second };
  return { page: "missing" };
}
