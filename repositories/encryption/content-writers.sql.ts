import { defineStatement } from '../../database/statement.ts';

/** Lists transactions that have written to tables or are waiting to write. Parameters: $1 table names. */
export const LIST_WRITERS = defineStatement<{ id: string }>({
  name: 'list-content-writers',
  because: 'Reads locks, which have no entity.',
  acrossWorkspaces: 'A table lock belongs to no workspace.',
  text: `SELECT DISTINCT virtualtransaction AS id FROM pg_locks
    WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND relation = ANY(ARRAY(SELECT to_regclass(name)::oid FROM unnest($1::text[]) AS name))
      AND mode = 'RowExclusiveLock'`,
});

/** Returns whether transactions have ended. Parameters: $1 virtual transaction ids. */
export const HAVE_TRANSACTIONS_ENDED = defineStatement<{ haveEnded: boolean }>({
  name: 'have-transactions-ended',
  because: 'Reads locks, which have no entity.',
  text: `SELECT NOT EXISTS (SELECT FROM pg_locks WHERE virtualtransaction = ANY($1::text[])) AS "haveEnded"`,
});
