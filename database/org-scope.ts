import type { Database } from './database.ts';

/**
 * A workspace, and the connection pool or transaction to use. It is the first argument of all repository
 * methods for tables of tenants.
 */
export interface OrgScope {
  readonly orgId: string;
  readonly db: Database;
}

/** Runs `work` in a database transaction, with the same workspace. */
export function inTransaction<S extends OrgScope, T>(scope: S, work: (scope: S) => Promise<T>): Promise<T> {
  return scope.db.transaction((db) => work({ ...scope, db }));
}
