/** A path whose values are escaped: `` path`/api/bots/${id}` ``. */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
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
