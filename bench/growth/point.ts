/** Measured points by dimension, then by probe (the measured operation). */
export type Growth = Map<string, Map<string, Point[]>>;

/** Figures of a probe (the measured operation) at one size of the installation. */
export interface Point {
  size: number;
  p50: number;
  p95: number;
  cpu: number;
  statements: number;
  /** Number of 8 kB pages of tables and indexes that PostgreSQL read. */
  pages: number;
}
