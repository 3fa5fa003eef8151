/** The schema of one room in SQL. A part may name what the part before has made in any room. */
export interface RoomSchema {
  /** Tables with their keys and indexes. */
  tables: string;
  /** Foreign keys. */
  references?: string;
  /** Functions, each with its triggers. */
  functions?: string;
}
