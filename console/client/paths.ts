/** Builds a path from a template and escapes its values, for example `` path`/api/bots/${id}` ``. */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}

/**
 * Returns the path of a URL to a file of this server; null for any other URL. Parley builds URLs with its
 * public URL, whose origin may differ from the console's.
 */
export function toLocalPath(address: string, folder: `/api/${string}/`): string | null {
  if (!URL.canParse(address)) return null;
  const { pathname } = new URL(address);
  return pathname.startsWith(folder) ? pathname : null;
}

export type Query = Record<string, string | number | boolean | null | undefined>;

/** Appends a query to a path; omits null, undefined and empty values. */
export function withQuery(base: string, query: Query): string {
  const set = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  if (set.length === 0) return base;
  return `${base}${base.includes('?') ? '&' : '?'}${new URLSearchParams(set.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}
