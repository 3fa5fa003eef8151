export interface StatementDefinition {
  /** Unique in the program; what logs and the tables of PostgreSQL call it where it is prepared. */
  name: string;
  /** Why TypeORM does not make it: what its builder cannot say, or the bench that shows what this one brings. */
  because: string;
  /** Why it names no `org_id` although it is about a tenant's table. */
  acrossWorkspaces?: string;
  /** Has PostgreSQL parse and plan it once per connection: for hot paths. */
  isPrepared?: boolean;
  text: string;
}

declare const returned: unique symbol;

/** What `Database.run` takes: statements by hand, and those that are made of an entity's metadata. */
export interface Runnable<Row> {
  readonly name: string;
  readonly text: string;
  readonly isPrepared?: boolean;
  readonly [returned]?: Row;
}

/** SQL by hand, which returns rows of the form `Row`. They stand in files named `*.sql.ts`, see ADR 5. */
export interface Statement<Row> extends Readonly<StatementDefinition>, Runnable<Row> {}

const known = new Map<string, Statement<unknown>>();

/** @throws Error for a name that another statement has */
export function statement<Row = never>(definition: StatementDefinition): Statement<Row> {
  if (known.has(definition.name)) throw new Error(`Two statements are named ${definition.name}.`);
  known.set(definition.name, definition);
  return definition;
}

/** All statements of the files that are loaded. */
export function knownStatements(): Statement<unknown>[] {
  return [...known.values()];
}
