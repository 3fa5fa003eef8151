import { defineStatement, type Runnable } from '../../database/statement.ts';

const because = 'Server maintenance, which TypeORM does not support.';

/** Takes an advisory lock, which the connection keeps until it is closed. Parameters: $1 name of the lock. */
export const TRY_LOCK = defineStatement<{ isLocked: boolean; pid: number }>({
  name: 'try-lock-rewriting',
  because,
  text: `SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS "isLocked", pg_backend_pid() AS pid`,
});

/**
 * Limits the wait for the lock of a table that is rewritten to two seconds, because other requests for the
 * table queue behind it. Two seconds are longer than `deadlock_timeout`, after which PostgreSQL cancels a
 * blocking autovacuum. If the worker dies, the server cancels its statement and unlocks the table.
 */
export const LIMIT_WAITING = defineStatement({
  name: 'limit-waiting-of-rewriting',
  because,
  text: `SELECT set_config('lock_timeout', '2s', false), set_config('client_connection_check_interval', '1s', false)`,
});

/**
 * Cancels the statement that rewrites a table. Parameters: $1 pid of the server process that rewrites tables.
 */
export const CANCEL = defineStatement({
  name: 'cancel-rewriting',
  because,
  text: 'SELECT pg_cancel_backend($1)',
});

/**
 * Returns whether a table must be rewritten to remove old row versions, and when. A rewrite that locked the
 * table for less than a second requires no pause. Times are text, to preserve their microseconds. Parameters:
 * $1 table name, $2 time after which the table must have been rewritten, $3 pause as a multiple of the time
 * locked.
 */
export const FIND_SCHEDULE = defineStatement<{ isDue: boolean; waitSeconds: number; now: string }>({
  name: 'find-rewrite-schedule',
  because: 'Uses the clock of the database.',
  text: `SELECT coalesce(r.clean_since < $2::timestamptz, true) AS "isDue",
      coalesce(greatest(0, extract(epoch FROM r.clean_since - clock_timestamp()) + CASE WHEN r.seconds < 1 THEN 0 ELSE r.seconds * $3 END), 0)::float8 AS "waitSeconds",
      clock_timestamp()::text AS now
    FROM (SELECT $1::text AS name) requested LEFT JOIN table_rewrites r USING (name)`,
});

/**
 * Stores that a table was rewritten. Parameters: $1 table name, $2 time since which its files contain no old
 * row versions, $3 seconds for which the rewrite locked the table.
 */
export const RECORD_REWRITE = defineStatement({
  name: 'record-rewrite',
  because: 'Stores a time with microseconds, which JavaScript dates do not support.',
  text: `INSERT INTO table_rewrites (name, clean_since, seconds) VALUES ($1, $2::timestamptz, $3)
    ON CONFLICT (name) DO UPDATE SET clean_since = EXCLUDED.clean_since, seconds = EXCLUDED.seconds`,
});

/** Measures a table before it is rewritten. Parameters: $1 table name. */
export const MEASURE_TABLE = defineStatement<{
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

export const VACUUM_PROBES = defineStatement({
  name: 'vacuum-probes',
  because,
  text: 'VACUUM (TRUNCATE, INDEX_CLEANUP ON) vacuum_probes',
});

/**
 * Builds the statement that rewrites a table, its indexes and its column statistics.
 * @param table table name, inserted without escaping
 */
export function buildVacuumFull(table: string): Runnable<never> {
  return { name: '', text: `VACUUM (FULL, ANALYZE) ${table}` };
}

/** Returns whether the database role may list write-ahead log files and run a checkpoint. */
export const MAY_OVERWRITE_LOG = defineStatement<{ may: boolean }>({
  name: 'may-clean-log',
  because,
  text: `SELECT has_function_privilege('pg_ls_waldir()', 'EXECUTE') AND pg_has_role('pg_checkpoint', 'USAGE') AS may`,
});
export const CHECKPOINT = defineStatement({ name: 'checkpoint', because, text: 'CHECKPOINT' });

/** Writes as much data to the write-ahead log as one log file holds. */
export const FILL_LOG_FILE = defineStatement({
  name: 'fill-log-file',
  because,
  text: `SELECT pg_logical_emit_message(false, 'parley', repeat('0', pg_size_bytes(current_setting('wal_segment_size'))::int))`,
});

/**
 * Counts write-ahead log files that PostgreSQL has renamed for later use. Such files still have their old
 * content.
 */
export const COUNT_RECYCLED = defineStatement<{ files: number }>({
  name: 'count-recycled-log-files',
  because,
  text: `SELECT count(*)::int AS files FROM pg_ls_waldir()
    WHERE name ~ '^[0-9A-F]{24}$' AND name > pg_walfile_name(pg_current_wal_insert_lsn())`,
});
