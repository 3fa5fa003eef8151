/** SQL that creates the schema of one feature. Each part may refer to what earlier parts of all features create. */
export interface FeatureSchema {
  /** Tables with their keys and indexes. */
  tables: string;
  /** Foreign keys. */
  references?: string;
  /** Functions, each with its triggers. */
  functions?: string;
}
