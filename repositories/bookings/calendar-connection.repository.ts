import { IsNull, Not } from 'typeorm';
import { Batcher } from '../../core/concurrency/batcher.ts';
import { oncePerObject } from '../../core/concurrency/once-per-object.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { fromNow, isOlderThan } from '../../database/times.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import {
  CLAIM_DUE_CALENDARS,
  OFFERED_CALENDAR,
  PRESENT_CALENDARS,
  type DueConnection,
  type OfferedCalendar,
} from './calendar-connection.sql.ts';
import { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';

/** Calendars of workspaces. What is disconnected is not found, but by its id. */
export class CalendarConnectionRepository extends ScopedRepository<CalendarConnection> {
  readonly #present = oncePerObject(
    (pool: Database) => new Batcher((orgIds: string[]) => listPresent(pool, orgIds)),
  );

  constructor() {
    super(CalendarConnection, 'calendar connection');
  }

  async findPresent({ db, orgId }: OrgScope): Promise<CalendarConnection | null> {
    if (!db.isTransaction) return this.#present(db.outside).load(orgId);
    const [present = null] = await listPresent(db, [orgId]);
    return present;
  }

  /** What of it tells visitors that they can book; null where they cannot. */
  async findOffered({ db, orgId }: OrgScope): Promise<OfferedCalendar | null> {
    const [offered = null] = await db.run(OFFERED_CALENDAR, [orgId]);
    return offered;
  }

  /** Locks it until the transaction ends. */
  findPresentLocked(scope: OrgScope): Promise<CalendarConnection | null> {
    return this.query(scope).andWhere('row.hiddenAt IS NULL').setLock('pessimistic_write').getOne();
  }

  /** Whoever changes it waits until the transaction ends; others who book do not. */
  findPresentHeld(scope: OrgScope): Promise<CalendarConnection | null> {
    return this.query(scope).andWhere('row.hiddenAt IS NULL').setLock('for_key_share').getOne();
  }

  /** Returns null where the workspace has one. */
  insertFirst(
    { db, orgId }: OrgScope,
    row: Pick<CalendarConnection, 'id' | 'provider' | 'connectedBy'> & Partial<CalendarConnection>,
  ): Promise<CalendarConnection | null> {
    return insertOrIgnore(db.repository(CalendarConnection), { ...row, orgId });
  }

  /** Slots were asked for; while they are, busy times are read more often. Says so once in a few minutes. */
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

  /** Whether the caller is the one to renew these tokens; of all who ask, one is, until its lease ends. */
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

  /** In place of those that they were renewed from. */
  async keepRefreshed({ db, orgId }: OrgScope, id: string, from: string, to: string): Promise<void> {
    await db
      .repository(CalendarConnection)
      .update({ id, orgId, sealedCredentials: from }, { sealedCredentials: to, refreshLeaseUntil: null });
  }

  async endRefresh({ db, orgId }: OrgScope, id: string, sealedCredentials: string): Promise<void> {
    await db
      .repository(CalendarConnection)
      .update({ id, orgId, sealedCredentials }, { refreshLeaseUntil: null });
  }

  /** Those to be read again, which are put off until they have been; of any workspace. */
  claimDue(db: Database, limit: number): Promise<DueConnection[]> {
    return db.run(CLAIM_DUE_CALENDARS, [limit]);
  }

  /** Those that were disconnected a while ago and are still there; of any workspace. */
  listLeft(db: Database, limit: number): Promise<DueConnection[]> {
    return db.repository(CalendarConnection).find({
      where: { hiddenAt: isOlderThan("interval '1 hour'") },
      select: { id: true, orgId: true, provider: true },
      take: limit,
    });
  }

  async deleteHidden({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db.repository(CalendarConnection).delete({ id, orgId, hiddenAt: Not(IsNull()) });
  }

  /** What reading it has shown, unless it was connected anew meanwhile, and when it is to be read again. */
  async noteSync(
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
        ...(health === 'healthy' && { failureToldAt: null }),
      })
      .where({ id, orgId, hiddenAt: IsNull() })
      // Its column knows microseconds.
      .andWhere("date_trunc('milliseconds', connected_at) = :connectedAt", { connectedAt })
      .execute();
  }

  /** Returns whether its team has not been told yet that it fails, and is to be: at once, or when nothing is known any more. */
  async claimFailure({ db, orgId }: OrgScope, id: string, staleMinutes: number | null): Promise<boolean> {
    const query = db
      .repository(CalendarConnection)
      .createQueryBuilder()
      .update()
      .set({ failureToldAt: () => 'now()' })
      .where({ id, orgId, hiddenAt: IsNull(), failureToldAt: IsNull() });
    if (staleMinutes !== null)
      query.andWhere(`COALESCE(lastSyncedAt, connectedAt) < now() - make_interval(mins => :staleMinutes)`, {
        staleMinutes,
      });
    return (await query.execute()).affected === 1;
  }
}

/** An object for each, also where several ask for the same. */
async function listPresent(db: Database, orgIds: string[]): Promise<(CalendarConnection | null)[]> {
  const rows = await db.run(PRESENT_CALENDARS, [[...new Set(orgIds)]]);
  return orgIds.map((asked) => {
    const row = rows.find(({ orgId }) => orgId === asked);
    return row ? { ...row } : null;
  });
}
