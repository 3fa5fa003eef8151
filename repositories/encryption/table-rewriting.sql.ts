import { statement, type Runnable } from '../../database/statement.ts';

const because = 'It is maintenance of the server, which TypeORM does not know.';

/** $1 name of the lock, which the connection holds until it is closed */
export const TRY_LOCK = statement<{ isLocked: boolean; pid: number }>({
  name: 'try-lock-rewriting',
  because,
  text: `SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS "isLocked", pg_backend_pid() AS pid`,
});

/**
 * Gives up after two seconds where a table is in use: requests for the table wait behind the request for the lock. It is longer than
 * `deadlock_timeout`, after which PostgreSQL cancels an autovacuum that is in the way. The server ends the statement of a worker that
 * has died, and unlocks the table.
 */
export const LIMIT_WAITING = statement({
  name: 'limit-waiting-of-rewriting',
  because,
  text: `SELECT set_config('lock_timeout', '2s', false), set_config('client_connection_check_interval', '1s', false)`,
});

/** $1 process of the connection that rewrites tables */
export const CANCEL = statement({ name: 'cancel-rewriting', because, text: 'SELECT pg_cancel_backend($1)' });

/**
 * A table that was locked for less than a second is not spared. The time comes as text, which keeps its microseconds.
 * $1 name, $2 since when files have to be clean, $3 how many times longer than it was locked a table is left alone
 */
export const FIND_TURN = statement<{ isDue: boolean; waitSeconds: number; now: string }>({
  name: 'find-turn-of-rewriting',
  because: 'The clock of the database decides.',
  text: `SELECT coalesce(r.clean_since < $2::timestamptz, true) AS "isDue",
      coalesce(greatest(0, extract(epoch FROM r.clean_since - clock_timestamp()) + CASE WHEN r.seconds < 1 THEN 0 ELSE r.seconds * $3 END), 0)::float8 AS "waitSeconds",
      clock_timestamp()::text AS now
    FROM (SELECT $1::text AS name) asked LEFT JOIN table_rewrites r USING (name)`,
});

/** $1 name, $2 since when it is clean, $3 seconds */
export const NOTE_REWRITE = statement({
  name: 'note-rewrite',
  because: 'The time comes from the clock of the database, to the microsecond.',
  text: `INSERT INTO table_rewrites (name, clean_since, seconds) VALUES ($1, $2::timestamptz, $3)
    ON CONFLICT (name) DO UPDATE SET clean_since = EXCLUDED.clean_since, seconds = EXCLUDED.seconds`,
});

/** $1 table */
export const MEASURE_TABLE = statement<{
  bytes: number;
  heapBytes: number;
  fileNode: string;
  writes: number;
}>({
  name: 'measure-table',
  because,
  text: `SELECT pg_total_relation_size(c.oid)::float8 AS bytes, pg_relation_size(c.oid)::float8 AS "heapBytes", pg_relation_filenode(c.oid)::text AS "fileNode",
      coalesce((SELECT n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_all_tables s WHERE s.relid = c.oid), 0)::float8 AS writes
    FROM pg_class c WHERE c.oid = $1::regclass`,
});

export const VACUUM_PROBES = statement({
  name: 'vacuum-probes',
  because,
  text: 'VACUUM (TRUNCATE, INDEX_CLEANUP ON) vacuum_probes',
});

/** Writes rows and indexes to new files, and samples of columns anew. @param table a name of ours */
export function vacuumFull(table: string): Runnable<never> {
  return { name: '', text: `VACUUM (FULL, ANALYZE) ${table}` };
}

/** Whether the role may see the files of the log and make a checkpoint. */
export const MAY_CLEAN_LOG = statement<{ may: boolean }>({
  name: 'may-clean-log',
  because,
  text: `SELECT has_function_privilege('pg_ls_waldir()', 'EXECUTE') AND pg_has_role('pg_checkpoint', 'USAGE') AS may`,
});
export const CHECKPOINT = statement({ name: 'checkpoint', because, text: 'CHECKPOINT' });

/** Writes as much to the log as one of its files holds. */
export const FILL_LOG_FILE = statement({
  name: 'fill-log-file',
  because,
  text: `SELECT pg_logical_emit_message(false, 'parley', repeat('0', pg_size_bytes(current_setting('wal_segment_size'))::int))`,
});

/** Files that PostgreSQL keeps for what it writes next: it renames old ones, with what is in them. */
export const COUNT_RECYCLED = statement<{ files: number }>({
  name: 'count-recycled-log-files',
  because,
  text: `SELECT count(*)::int AS files FROM pg_ls_waldir()
    WHERE name ~ '^[0-9A-F]{24}$' AND name > pg_walfile_name(pg_current_wal_insert_lsn())`,
});
