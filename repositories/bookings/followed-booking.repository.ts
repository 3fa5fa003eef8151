import { In, type SelectQueryBuilder } from 'typeorm';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { fromNow } from '../../database/times.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

/** A booking, and how long it is until it begins and ends by the clock of the database; negative once it has. */
export interface TimedBooking {
  booking: Booking;
  startsInMs: number;
  endsInMs: number;
}

export type QueuedMail = Pick<MailRow, 'id' | 'template' | 'state' | 'orgId'> & { key: string };
export type OverdueBooking = Pick<Booking, 'id' | 'orgId' | 'source'>;

const millisecondsTo = (time: string) => `ceil(extract(epoch FROM ${time} - now()) * 1000)::float8`;

/** Bookings as their workflows follow them. */
export class FollowedBookingRepository extends ScopedRepository<Booking> {
  constructor() {
    super(Booking, 'booking');
  }

  /** Whose it is, for whoever has the link of its attendee. */
  async findOrgId(db: Database, id: string): Promise<string | null> {
    const booking = await db
      .repository(Booking)
      .findOne({ where: { id }, select: { id: true, orgId: true } });
    return booking?.orgId ?? null;
  }

  findTimed(scope: OrgScope, id: string): Promise<TimedBooking | null> {
    return timed(this.query(scope).andWhere('row.id = :id', { id }));
  }

  /** Locks it until the transaction ends. */
  findTimedLocked(scope: OrgScope, id: string): Promise<TimedBooking | null> {
    return timed(this.query(scope).andWhere('row.id = :id', { id }).setLock('pessimistic_write'));
  }

  /** Its workspace, as attendees see it. */
  workspaceOf({ db, orgId }: OrgScope): Promise<Pick<Org, 'name' | 'settings'>> {
    return db.repository(Org).findOneOrFail({ where: { id: orgId }, select: { name: true, settings: true } });
  }

  /** The mails to its attendee. */
  listMails({ db, orgId }: OrgScope, id: string): Promise<QueuedMail[]> {
    return db
      .repository(MailRow)
      .createQueryBuilder('mail')
      .select(['mail.id', 'mail.template', 'mail.state', 'mail.orgId', 'mail.key'])
      .where('mail.org_id = :orgId AND mail.user_id IS NULL', { orgId })
      .andWhere('mail.key LIKE :keys', { keys: `booking/${id}/%` })
      .getMany() as Promise<QueuedMail[]>;
  }

  /** The attendee was sent an invitation to this state of it. */
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

  /** When its workflow is to be there again. @param ms null once it has ended */
  async markDue(scope: OrgScope, id: string, ms: number | null): Promise<void> {
    const followDueAt = ms === null ? null : fromNow(Math.ceil(Math.max(0, ms) / 1000), 'secs');
    await this.update(scope, id, { followDueAt });
  }

  /** Records what has become of the event, unless the booking is another one by now. */
  async settleCalendar(
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

  /** Has the calendar follow what was cancelled, or given up. */
  async markPending(
    { db, orgId }: OrgScope,
    id: string,
    from: readonly Booking['calendarStatus'][],
  ): Promise<void> {
    const where = { id, orgId, calendarStatus: In([...from]) };
    await db.repository(Booking).update(where, { calendarStatus: 'pending' });
  }

  /** Those of all workspaces whose workflow should have done something a while ago, the longest ago first. */
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

async function timed(query: SelectQueryBuilder<Booking>): Promise<TimedBooking | null> {
  const { entities, raw } = await query
    .addSelect(millisecondsTo('row.startsAt'), 'starts_in_ms')
    .addSelect(millisecondsTo('row.endsAt'), 'ends_in_ms')
    .getRawAndEntities<{ starts_in_ms: number; ends_in_ms: number }>();
  const [booking] = entities;
  return booking && raw[0] ? { booking, startsInMs: raw[0].starts_in_ms, endsInMs: raw[0].ends_in_ms } : null;
}
