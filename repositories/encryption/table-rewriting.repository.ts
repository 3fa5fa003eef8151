import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import { VacuumProbe } from '../../entities/encryption/vacuum-probe.entity.ts';
import {
  CANCEL,
  CHECKPOINT,
  COUNT_RECYCLED,
  FILL_LOG_FILE,
  FIND_SCHEDULE,
  LIMIT_WAITING,
  MAY_OVERWRITE_LOG,
  MEASURE_TABLE,
  RECORD_REWRITE,
  TRY_LOCK,
  VACUUM_PROBES,
  buildVacuumFull,
} from './table-rewriting.sql.ts';

const REWRITE_LOCK = 'rewriting of tables';
const LOCK_NOT_AVAILABLE = '55P03';
const MAX_POLLS = 20;
const POLL_INTERVAL_MS = 100;
/**
 * Maximum number of write-ahead log files to overwrite, which limits how long overwriting takes. At 16 MB
 * each, these are more files than PostgreSQL recycles by default.
 */
const MAX_RECYCLED_FILES = 128;

/**
 * Rewrites database tables, so that their files contain no old row versions. All methods except
 * `findSchedule` need a dedicated connection without a statement timeout.
 */
export class TableRewritingRepository {
  /**
   * Prepares a database connection for rewriting tables. Returns the pid of its server process; null while
   * another process rewrites tables.
   */
  async begin(connection: Database): Promise<number | null> {
    const [row] = await connection.run(TRY_LOCK, [REWRITE_LOCK]);
    await connection.run(LIMIT_WAITING);
    return row!.isLocked ? row!.pid : null;
  }

  /** Cancels the statement that a PostgreSQL server process is running. */
  async cancel(db: Database, pid: number): Promise<void> {
    await db.run(CANCEL, [pid]);
  }

  /**
   * Returns whether and when a table must be rewritten to remove old row versions.
   * @param pauseFactor minimum pause between two rewrites of a table, as a multiple of the time for which the
   *   table was locked
   */
  async findSchedule(
    db: Database,
    name: string,
    since: Date,
    pauseFactor: number,
  ): Promise<{ isDue: boolean; waitSeconds: number; now: string }> {
    return (await db.run(FIND_SCHEDULE, [name, since, pauseFactor]))[0]!;
  }

  async measure(
    connection: Database,
    table: string,
  ): Promise<{ bytes: number; heapBytes: number; fileNode: string; writes: number }> {
    return (await connection.run(MEASURE_TABLE, [table]))[0]!;
  }

  /**
   * True if VACUUM FULL would remove all row versions that were replaced before this call. VACUUM FULL keeps
   * versions that a running transaction can still see. Polls while short transactions end.
   */
  async areOldVersionsRemovable(connection: Database): Promise<boolean> {
    const probes = connection.repository(VacuumProbe);
    await probes.insert({ id: newId() });
    await probes.deleteAll();
    for (let poll = 1; poll <= MAX_POLLS; poll += 1) {
      await connection.run(VACUUM_PROBES);
      if ((await this.measure(connection, 'vacuum_probes')).heapBytes === 0) return true;
      await sleep(POLL_INTERVAL_MS);
    }
    return false;
  }

  /**
   * Rewrites a table with VACUUM FULL, which removes old row versions.
   * @returns false if another transaction uses the table
   */
  async rewrite(connection: Database, table: string): Promise<boolean> {
    try {
      await connection.run(buildVacuumFull(table));
      return true;
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false;
      throw error;
    }
  }

  async recordRewrite(
    connection: Database,
    name: string,
    cleanSince: string,
    seconds: number,
  ): Promise<void> {
    await connection.run(RECORD_REWRITE, [name, cleanSince, seconds]);
  }

  /**
   * Overwrites the content of old write-ahead log files, including those that PostgreSQL has recycled for
   * later use.
   * @returns false if the database role lacks the permission; then the content stays until PostgreSQL reuses
   * the files
   */
  async overwriteOldLog(connection: Database): Promise<boolean> {
    if (!(await connection.run(MAY_OVERWRITE_LOG))[0]!.may) return false;
    await connection.run(FILL_LOG_FILE);
    await connection.run(CHECKPOINT);
    const { files } = (await connection.run(COUNT_RECYCLED))[0]!;
    // Overwrite one file more, because writing begins within a file and must also fill the last recycled
    // file.
    const fillCount = Math.min(files, MAX_RECYCLED_FILES) + 1;
    for (let n = 0; n < fillCount; n += 1) await connection.run(FILL_LOG_FILE);
    await connection.run(CHECKPOINT);
    return true;
  }
}
