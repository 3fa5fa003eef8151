import { In, type SelectQueryBuilder } from 'typeorm';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { fromNow } from '../../database/times.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

/**
 * A booking, with the milliseconds until it begins and ends by the database's clock. The milliseconds are
 * negative once the time has passed.
 */
export interface TimedBooking {
  booking: Booking;
  startsInMs: number;
  endsInMs: number;
}

export type QueuedMail = Pick<MailRow, 'id' | 'template' | 'state' | 'orgId'> & { key: string };
export type OverdueBooking = Pick<Booking, 'id' | 'orgId' | 'source'>;

const toMillisecondsUntil = (time: string) => `ceil(extract(epoch FROM ${time} - now()) * 1000)::float8`;

/** Reads and changes bookings for their workflows. */
export class FollowedBookingRepository extends ScopedRepository<Booking> {
  constructor() {
    super(Booking, 'booking');
  }

  /** Returns the workspace of a booking, for requests that only have the booking's id from a link. */
  async findOrgId(db: Database, id: string): Promise<string | null> {
    const booking = await db
      .repository(Booking)
      .findOne({ where: { id }, select: { id: true, orgId: true } });
    return booking?.orgId ?? null;
  }

  findTimed(scope: OrgScope, id: string): Promise<TimedBooking | null> {
    return readTimed(this.query(scope).andWhere('row.id = :id', { id }));
  }

  /** Returns the booking and locks it until the transaction ends; null if the booking does not exist. */
  findTimedLocked(scope: OrgScope, id: string): Promise<TimedBooking | null> {
    return readTimed(this.query(scope).andWhere('row.id = :id', { id }).setLock('pessimistic_write'));
  }

  /** Returns the details of the workspace that attendees may see. */
  getWorkspace({ db, orgId }: OrgScope): Promise<Pick<Org, 'name' | 'settings'>> {
    return db.repository(Org).findOneOrFail({ where: { id: orgId }, select: { name: true, settings: true } });
  }

  /** Lists the emails that were queued for the booking's attendee. */
  listMails({ db, orgId }: OrgScope, id: string): Promise<QueuedMail[]> {
    return db
      .repository(MailRow)
      .createQueryBuilder('mail')
      .select(['mail.id', 'mail.template', 'mail.state', 'mail.orgId', 'mail.key'])
      .where('mail.org_id = :orgId AND mail.user_id IS NULL', { orgId })
      .andWhere('mail.key LIKE :keys', { keys: `booking/${id}/%` })
      .getMany() as Promise<QueuedMail[]>;
  }

  /** Stores that the attendee was emailed an invitation for this sequence number of the booking. */
  async markInvited({ db, orgId }: OrgScope, id: string, sequence: number): Promise<void> {
    await db
      .repository(Booking)
      .createQueryBuilder()
      .update()
      .set({ invitedSequence: sequence, invitedAt: () => 'now()' })
      .where('id = :id AND org_id = :orgId', { id, orgId })
      .andWhere('(invited_sequence IS NULL OR invited_sequence < :sequence)', { sequence })
      .execute();
  }

  /**
   * Stores the time at which the booking's workflow must act next.
   * @param ms delay in milliseconds; null once the workflow has ended
   */
  async markDue(scope: OrgScope, id: string, ms: number | null): Promise<void> {
    const followDueAt = ms === null ? null : fromNow(Math.ceil(Math.max(0, ms) / 1000), 'secs');
    await this.update(scope, id, { followDueAt });
  }

  /**
   * Stores whether the booking's calendar event was written. Does nothing if the booking has changed in the
   * meantime.
   */
  async storeCalendarResult(
    { db, orgId }: OrgScope,
    { id, status, sequence }: Pick<Booking, 'id' | 'status' | 'sequence'>,
    changes: Partial<
      Pick<Booking, 'calendarStatus' | 'calendarError' | 'calendarId' | 'eventId' | 'eventVersion'>
    >,
  ): Promise<boolean> {
    const { affected } = await db
      .repository(Booking)
      .update(
        { id, orgId, status, sequence, calendarStatus: 'pending' },
        { ...changes, updatedAt: () => 'now()' },
      );
    return affected === 1;
  }

  /**
   * Marks the calendar event of a canceled booking, or of a booking whose event could not be written, as
   * pending. A worker then writes the event again.
   */
  async markPending(
    { db, orgId }: OrgScope,
    id: string,
    from: readonly Booking['calendarStatus'][],
  ): Promise<void> {
    const where = { id, orgId, calendarStatus: In([...from]) };
    await db.repository(Booking).update(where, { calendarStatus: 'pending' });
  }

  /** Lists bookings of all workspaces whose workflow is overdue, longest overdue first. */
  listOverdue(
    db: Database,
    { overdueSeconds, limit }: { overdueSeconds: number; limit: number },
  ): Promise<OverdueBooking[]> {
    return db
      .repository(Booking)
      .createQueryBuilder('row')
      .select(['row.id', 'row.orgId', 'row.source'])
      .where('row.follow_due_at < now() - make_interval(secs => :overdueSeconds)', { overdueSeconds })
      .orderBy('row.followDueAt')
      .limit(limit)
      .getMany();
  }
}

async function readTimed(query: SelectQueryBuilder<Booking>): Promise<TimedBooking | null> {
  const { entities, raw } = await query
    .addSelect(toMillisecondsUntil('row.startsAt'), 'starts_in_ms')
    .addSelect(toMillisecondsUntil('row.endsAt'), 'ends_in_ms')
    .getRawAndEntities<{ starts_in_ms: number; ends_in_ms: number }>();
  const [booking] = entities;
  return booking && raw[0] ? { booking, startsInMs: raw[0].starts_in_ms, endsInMs: raw[0].ends_in_ms } : null;
}
