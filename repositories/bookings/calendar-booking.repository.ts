import { IsNull } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';

export type FollowedBooking = Pick<Booking, 'id' | 'orgId' | 'source'>;
export type WrittenBooking = Pick<
  Booking,
  'id' | 'startsAt' | 'endsAt' | 'calendarId' | 'eventId' | 'eventVersion'
>;

/** Reads and changes the calendar events of bookings. */
export class CalendarBookingRepository {
  /** Lists upcoming bookings whose latest change is not written to the calendar yet. */
  listOutOfSync({ db, orgId }: OrgScope, connectionId: string): Promise<FollowedBooking[]> {
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

  /** Lists upcoming bookings that have a calendar event. */
  listWritten({ db, orgId }: OrgScope, connectionId: string, limit: number): Promise<WrittenBooking[]> {
    return (
      db
        .repository(Booking)
        .createQueryBuilder('row')
        .select(['row.id', 'row.startsAt', 'row.endsAt', 'row.calendarId', 'row.eventId', 'row.eventVersion'])
        .where('row.orgId = :orgId AND row.connectionId = :connectionId', { orgId, connectionId })
        .andWhere("row.status = 'confirmed' AND row.calendarStatus = 'written'")
        // Include bookings that were moved recently: a meeting that was moved into the past by mistake may be
        // moved back.
        .andWhere("(row.endsAt > now() OR (row.sequence > 0 AND row.updatedAt > now() - interval '1 day'))")
        .orderBy('row.startsAt')
        .limit(limit)
        .getMany()
    );
  }

  /**
   * Clears the calendar events of all upcoming bookings, so that the bookings are written to a
   * newly connected account.
   */
  async resetEvents({ db, orgId }: OrgScope, connectionId: string): Promise<void> {
    await db
      .repository(Booking)
      .createQueryBuilder()
      .update()
      .set({
        connectionId,
        calendarStatus: 'pending',
        calendarId: null,
        calendarError: null,
        eventId: null,
        eventVersion: null,
      })
      .where({ orgId, status: 'confirmed' })
      .andWhere('endsAt > now()')
      .execute();
  }

  /**
   * Stores the calendar event that was found for a booking.
   * @returns false if the booking has another event by now
   */
  async storeFoundEvent(
    { db, orgId }: OrgScope,
    connectionId: string,
    { id, eventId }: WrittenBooking,
    found: Partial<Pick<Booking, 'calendarId' | 'eventId' | 'eventVersion'>>,
  ): Promise<boolean> {
    const { affected } = await db
      .repository(Booking)
      .update(
        { id, orgId, connectionId, calendarStatus: 'written', eventId: eventId ?? IsNull() },
        { ...found, id },
      );
    return affected === 1;
  }
}
