export interface StatementDefinition {
  /** Unique in the program. Logs show it, and PostgreSQL's tables if the statement is prepared. */
  name: string;
  /** Why TypeORM does not build it: a limit of its query builder, or the bench that shows the gain. */
  because: string;
  /** Why it does not filter by `org_id` although the table belongs to tenants. */
  acrossWorkspaces?: string;
  /** Makes PostgreSQL parse and plan it once for each connection, for hot paths. */
  isPrepared?: boolean;
  text: string;
}

declare const returned: unique symbol;

/** A statement for `Database.run`: written by hand, or built from an entity's metadata. */
export interface Runnable<Row> {
  readonly name: string;
  readonly text: string;
  readonly isPrepared?: boolean;
  readonly [returned]?: Row;
}

/** Hand-written SQL that returns rows of type `Row`, in a file named `*.sql.ts`. See ADR 5. */
export interface Statement<Row> extends Readonly<StatementDefinition>, Runnable<Row> {}

const statementsByName = new Map<string, Statement<unknown>>();

/** @throws Error if another statement has the same name */
export function defineStatement<Row = never>(definition: StatementDefinition): Statement<Row> {
  if (statementsByName.has(definition.name)) throw new Error(`Two statements are named ${definition.name}.`);
  statementsByName.set(definition.name, definition);
  return definition;
}

/** Returns the statements of all loaded modules. */
export function listStatements(): Statement<unknown>[] {
  return [...statementsByName.values()];
}
