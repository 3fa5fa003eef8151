/** What grows, then what is done, then how it goes at each size. */
export type Growth = Map<string, Map<string, Point[]>>;

/** A probe's figures at one size. */
export interface Point {
  size: number;
  p50: number;
  p95: number;
  cpu: number;
  statements: number;
  /** Of tables and indexes, 8 kB each, that PostgreSQL looked at. */
  pages: number;
  plan: string;
}
