import type { Database } from './database.ts';

/** The workspace and the unit of work: first argument of every repository method of a tenant's table. */
export interface OrgScope {
  readonly orgId: string;
  readonly db: Database;
}

/** Runs `work` with the same scope inside one transaction. */
export function inTransaction<S extends OrgScope, T>(scope: S, work: (scope: S) => Promise<T>): Promise<T> {
  return scope.db.transaction((db) => work({ ...scope, db }));
}
