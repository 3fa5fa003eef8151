import type { OrgScope } from '../../database/org-scope.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';

export type FollowedBooking = Pick<Booking, 'id' | 'orgId' | 'source'>;
export type WrittenBooking = Pick<
  Booking,
  'id' | 'startsAt' | 'endsAt' | 'calendarId' | 'eventId' | 'eventVersion'
>;

/** Of bookings, what concerns their calendar. */
export class CalendarBookingRepository {
  /** Those that a calendar has still to follow. */
  listWaiting({ db, orgId }: OrgScope, connectionId: string): Promise<FollowedBooking[]> {
    return db
      .repository(Booking)
      .createQueryBuilder('row')
      .select(['row.id', 'row.orgId', 'row.source'])
      .where('row.orgId = :orgId AND row.connectionId = :connectionId', { orgId, connectionId })
      .andWhere('row.endsAt > now()')
      .andWhere(
        `(row.calendarStatus = 'pending'
          OR (row.status = 'confirmed' AND row.calendarStatus = 'failed')
          OR (row.status = 'cancelled' AND row.calendarStatus = 'written'))`,
      )
      .orderBy('row.startsAt')
      .getMany();
  }

  /** Those to come whose events are in calendars. */
  listWritten({ db, orgId }: OrgScope, connectionId: string, limit: number): Promise<WrittenBooking[]> {
    return db
      .repository(Booking)
      .createQueryBuilder('row')
      .select(['row.id', 'row.startsAt', 'row.endsAt', 'row.calendarId', 'row.eventId', 'row.eventVersion'])
      .where('row.orgId = :orgId AND row.connectionId = :connectionId', { orgId, connectionId })
      .andWhere("row.status = 'confirmed' AND row.calendarStatus = 'written' AND row.endsAt > now()")
      .orderBy('row.startsAt')
      .limit(limit)
      .getMany();
  }

  /** Another account knows none of their events, so they are written anew. */
  async forgetEvents({ db, orgId }: OrgScope, connectionId: string): Promise<void> {
    await db
      .repository(Booking)
      .createQueryBuilder()
      .update()
      .set({ calendarStatus: 'pending', calendarId: null, eventId: null, eventVersion: null })
      .where({ orgId, connectionId, status: 'confirmed' })
      .andWhere("endsAt > now() AND calendarStatus IN ('pending', 'written', 'failed')")
      .execute();
  }
}
