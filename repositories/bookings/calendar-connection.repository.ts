import { IsNull } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';

/** Calendars of workspaces. What is disconnected is not found, but by its id. */
export class CalendarConnectionRepository extends ScopedRepository<CalendarConnection> {
  constructor() {
    super(CalendarConnection, 'calendar connection');
  }

  findPresent({ db, orgId }: OrgScope): Promise<CalendarConnection | null> {
    return db.repository(CalendarConnection).findOneBy({ orgId, hiddenAt: IsNull() });
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
}
