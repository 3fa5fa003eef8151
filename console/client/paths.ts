/** A path whose values are escaped: `` path`/api/bots/${id}` ``. */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}

/**
 * The API names its own files by its public address, which need not be the one that the console was opened at.
 * @returns the path of such a file on this server; null for any other address
 */
export function pathHere(address: string, folder: `/api/${string}/`): string | null {
  if (!URL.canParse(address)) return null;
  const { pathname } = new URL(address);
  return pathname.startsWith(folder) ? pathname : null;
}

export type Query = Record<string, string | number | boolean | null | undefined>;

/** The path with what is set of the query: neither null nor undefined nor empty. */
export function withQuery(base: string, query: Query): string {
  const set = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  if (set.length === 0) return base;
  return `${base}?${new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()}`;
}
