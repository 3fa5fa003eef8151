import { In, Not } from 'typeorm';
import type { TimeRange } from '../../adapters/calendars/calendar-provider.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { CalendarBusy } from '../../entities/bookings/calendar-connection.entity.ts';
import { FRESH_BUSY, type BusyRow } from './calendar-busy.sql.ts';

interface FreshBusyQuery {
  connectionId: string;
  /** Start of the requested meeting slots; the stored busy times must cover this time. */
  start: Date;
  withinMinutes: number;
}

/** Stores the busy times of calendars as of their last sync. */
export class CalendarBusyRepository {
  /** Lists busy times of calendars that were synced at most `withinMinutes` ago. */
  listFresh(
    { db, orgId }: OrgScope,
    { connectionId, start, withinMinutes }: FreshBusyQuery,
  ): Promise<BusyRow[]> {
    return db.run(FRESH_BUSY, [orgId, connectionId, start, withinMinutes]);
  }

  async upsert(
    { db, orgId }: OrgScope,
    connectionId: string,
    { start, end }: TimeRange,
    read: readonly { calendarId: string; busy: number[] }[],
  ): Promise<void> {
    if (read.length === 0) return;
    await db
      .repository(CalendarBusy)
      .createQueryBuilder()
      .insert()
      .values(
        read.map(({ calendarId, busy }) => ({
          connectionId,
          calendarId,
          orgId,
          busy,
          coversFrom: start,
          coversUntil: end,
          syncedAt: () => 'now()',
        })),
      )
      .orUpdate(['busy', 'covers_from', 'covers_until', 'synced_at'], ['connection_id', 'calendar_id'])
      .updateEntity(false)
      .execute();
  }

  /** Deletes the busy times of a connection's calendars that are not in the list. */
  async deleteOthers({ db, orgId }: OrgScope, connectionId: string, calendarIds: string[]): Promise<void> {
    await db.repository(CalendarBusy).delete({ orgId, connectionId, calendarId: Not(In(calendarIds)) });
  }
}
