export interface StatementDefinition {
  /**
   * Unique name of the SQL statement. It appears in logs, and for a prepared statement in PostgreSQL's list
   * of prepared statements.
   */
  name: string;
  /**
   * Reason why TypeORM does not build the statement: the limitation of its query builder, or the benchmark
   * that shows the gain.
   */
  because: string;
  /** Reason why the statement has no condition on `org_id`, if its table belongs to tenants. */
  acrossWorkspaces?: string;
  /**
   * True if PostgreSQL parses and plans the statement only once per connection. Used for statements that run
   * very often.
   */
  isPrepared?: boolean;
  text: string;
}

declare const returned: unique symbol;

/** An SQL statement that `Database.run` accepts, hand-written or generated from an entity's metadata. */
export interface Runnable<Row> {
  readonly name: string;
  readonly text: string;
  readonly isPrepared?: boolean;
  readonly [returned]?: Row;
}

/**
 * A hand-written SQL statement, in a file named `*.sql.ts`. `Row` is the type of the returned rows. See ADR
 * 5.
 */
export interface Statement<Row> extends Readonly<StatementDefinition>, Runnable<Row> {}

const statementsByName = new Map<string, Statement<unknown>>();

/**
 * Declares a hand-written SQL statement.
 * @throws Error if another statement has the same name
 */
export function defineStatement<Row = never>(definition: StatementDefinition): Statement<Row> {
  if (statementsByName.has(definition.name)) throw new Error(`Two statements are named ${definition.name}.`);
  statementsByName.set(definition.name, definition);
  return definition;
}

/** Returns all hand-written SQL statements that loaded modules have declared. */
export function listStatements(): Statement<unknown>[] {
  return [...statementsByName.values()];
}
