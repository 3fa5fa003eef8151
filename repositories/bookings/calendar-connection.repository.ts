import { IsNull, Not } from 'typeorm';
import { Batcher } from '../../core/concurrency/batcher.ts';
import { memoizePerObject } from '../../core/concurrency/memoize-per-object.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { fromNow, isOlderThan } from '../../database/times.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import {
  CLAIM_DUE_CALENDARS,
  BOOKABLE_CALENDAR,
  CURRENT_CALENDARS,
  type DueConnection,
  type BookableCalendar,
} from './calendar-connection.sql.ts';
import { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';

/**
 * Stores the calendar connections of workspaces. A disconnected connection can be found only by its
 * id.
 */
export class CalendarConnectionRepository extends ScopedRepository<CalendarConnection> {
  readonly #current = memoizePerObject(
    (pool: Database) => new Batcher((orgIds: string[]) => loadCurrentConnections(pool, orgIds)),
  );

  constructor() {
    super(CalendarConnection, 'calendar connection');
  }

  async findCurrent({ db, orgId }: OrgScope): Promise<CalendarConnection | null> {
    if (!db.isTransaction) return this.#current(db.withoutTransaction).load(orgId);
    const [current = null] = await loadCurrentConnections(db, [orgId]);
    return current;
  }

  /** Returns the calendar settings that visitors need to book a meeting; null if visitors cannot book. */
  async findBookable({ db, orgId }: OrgScope): Promise<BookableCalendar | null> {
    const [bookable = null] = await db.run(BOOKABLE_CALENDAR, [orgId]);
    return bookable;
  }

  /** Returns the workspace's calendar connection, and locks it until the transaction ends. */
  findCurrentLocked(scope: OrgScope): Promise<CalendarConnection | null> {
    return this.query(scope).andWhere('row.hiddenAt IS NULL').setLock('pessimistic_write').getOne();
  }

  /**
   * Returns the workspace's calendar connection, and makes callers of `findCurrentLocked` wait until the
   * transaction ends. Concurrent bookings share this lock.
   */
  findCurrentShared(scope: OrgScope): Promise<CalendarConnection | null> {
    return this.query(scope).andWhere('row.hiddenAt IS NULL').setLock('for_key_share').getOne();
  }

  /** Inserts a calendar connection. Returns null if the workspace already has a connection. */
  insertFirst(
    { db, orgId }: OrgScope,
    row: Pick<CalendarConnection, 'id' | 'provider' | 'connectedBy'> & Partial<CalendarConnection>,
  ): Promise<CalendarConnection | null> {
    return insertOrIgnore(db.repository(CalendarConnection), { ...row, orgId });
  }

  /**
   * Stores, at most once in five minutes, that meeting slots were requested. The busy times of connections in
   * use are synced more often.
   */
  async markUsed({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db
      .repository(CalendarConnection)
      .createQueryBuilder()
      .update()
      .set({
        usedAt: () => 'now()',
        syncDueAt: () => `LEAST(sync_due_at, COALESCE(last_synced_at, now()) + interval '15 minutes')`,
      })
      .where('id = :id AND orgId = :orgId', { id, orgId })
      .andWhere(`(usedAt IS NULL OR usedAt < now() - interval '5 minutes')`)
      .execute();
  }

  /**
   * Acquires the lease for refreshing the tokens of a calendar connection. Returns false while another caller
   * has it.
   */
  async claimRefresh(
    { db, orgId }: OrgScope,
    id: string,
    sealedCredentials: string,
    leaseSeconds: number,
  ): Promise<boolean> {
    const { affected } = await db
      .repository(CalendarConnection)
      .createQueryBuilder()
      .update()
      .set({ refreshLeaseUntil: fromNow(leaseSeconds, 'secs') })
      .where({ id, orgId, sealedCredentials })
      .andWhere('(refreshLeaseUntil IS NULL OR refreshLeaseUntil <= now())')
      .execute();
    return affected === 1;
  }

  /** Stores refreshed credentials of a calendar connection in place of the old credentials. */
  async storeRefreshed({ db, orgId }: OrgScope, id: string, from: string, to: string): Promise<void> {
    await db
      .repository(CalendarConnection)
      .update({ id, orgId, sealedCredentials: from }, { sealedCredentials: to, refreshLeaseUntil: null });
  }

  async endRefresh({ db, orgId }: OrgScope, id: string, sealedCredentials: string): Promise<void> {
    await db
      .repository(CalendarConnection)
      .update({ id, orgId, sealedCredentials }, { refreshLeaseUntil: null });
  }

  /** Lists calendar connections of all workspaces whose sync is due, and postpones their next sync. */
  claimDue(db: Database, limit: number): Promise<DueConnection[]> {
    return db.run(CLAIM_DUE_CALENDARS, [limit]);
  }

  /** Lists calendar connections of all workspaces that were disconnected more than an hour ago. */
  listDisconnected(db: Database, limit: number): Promise<DueConnection[]> {
    return db.repository(CalendarConnection).find({
      where: { hiddenAt: isOlderThan("interval '1 hour'") },
      select: { id: true, orgId: true, provider: true },
      take: limit,
    });
  }

  async deleteHidden({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db.repository(CalendarConnection).delete({ id, orgId, hiddenAt: Not(IsNull()) });
  }

  /**
   * Stores the result of a calendar sync, and the time at which the next sync is due. Does nothing if the
   * calendar was reconnected in the meantime.
   */
  async storeSyncResult(
    { db, orgId }: OrgScope,
    { id, connectedAt }: Pick<CalendarConnection, 'id' | 'connectedAt'>,
    { health, lastError }: Pick<CalendarConnection, 'health' | 'lastError'>,
  ): Promise<void> {
    await db
      .repository(CalendarConnection)
      .createQueryBuilder()
      .update()
      .set({
        health,
        lastError,
        lastSyncedAt: () => 'now()',
        syncDueAt: () =>
          `now() + CASE WHEN used_at > now() - interval '1 hour' THEN interval '15 minutes' ELSE interval '6 hours' END`,
        ...(health === 'healthy' && { failureNotifiedAt: null }),
      })
      .where({ id, orgId, hiddenAt: IsNull() })
      // Truncate the column's time, which has microseconds, to the milliseconds of the parameter.
      .andWhere("date_trunc('milliseconds', connected_at) = :connectedAt", { connectedAt })
      .execute();
  }

  /**
   * Returns true if the caller must email the team about a failing calendar connection. Returns true once for
   * each failure, either immediately or when the last sync is too old.
   */
  async claimFailureNotice(
    { db, orgId }: OrgScope,
    id: string,
    staleMinutes: number | null,
  ): Promise<boolean> {
    const query = db
      .repository(CalendarConnection)
      .createQueryBuilder()
      .update()
      .set({ failureNotifiedAt: () => 'now()' })
      .where({ id, orgId, hiddenAt: IsNull(), failureNotifiedAt: IsNull() });
    if (staleMinutes !== null)
      query.andWhere(`COALESCE(lastSyncedAt, connectedAt) < now() - make_interval(mins => :staleMinutes)`, {
        staleMinutes,
      });
    return (await query.execute()).affected === 1;
  }
}

/**
 * Reads the calendar connections of workspaces for a batch of callers. Each caller gets an object of its own.
 */
async function loadCurrentConnections(
  db: Database,
  orgIds: string[],
): Promise<(CalendarConnection | null)[]> {
  const rows = await db.run(CURRENT_CALENDARS, [[...new Set(orgIds)]]);
  return orgIds.map((requestedId) => {
    const row = rows.find(({ orgId }) => orgId === requestedId);
    return row ? { ...row } : null;
  });
}
