/**
 * SQL that creates the database tables and functions of one feature. Each part may refer to what earlier
 * parts of all features create.
 */
export interface FeatureSchema {
  /** SQL that creates the feature's tables with their keys and indexes. */
  tables: string;
  /** SQL that adds the feature's foreign keys. */
  references?: string;
  /** SQL that creates the feature's functions, each with its triggers. */
  functions?: string;
}
