import { IsNull } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { OFFERED_CALENDAR, type OfferedCalendar } from './calendar-connection.sql.ts';
import { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';

/** Calendars of workspaces. What is disconnected is not found, but by its id. */
export class CalendarConnectionRepository extends ScopedRepository<CalendarConnection> {
  constructor() {
    super(CalendarConnection, 'calendar connection');
  }

  findPresent({ db, orgId }: OrgScope): Promise<CalendarConnection | null> {
    return db.repository(CalendarConnection).findOneBy({ orgId, hiddenAt: IsNull() });
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
}
