import { Any } from 'typeorm';
import { Batcher } from '../../core/concurrency/batcher.ts';
import { memoizePerObject } from '../../core/concurrency/memoize-per-object.ts';
import type { Database } from '../../database/database.ts';
import { listInBatches } from '../../database/list-in-batches.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { decryptStoredRow, sealRow } from '../../database/content.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { BLOCKED_TIMES, type BlockedTime } from './booking.sql.ts';

export interface BookingFilter {
  from: Date;
  to: Date;
  status?: Booking['status'] | undefined;
  botId?: string | undefined;
}

/** Query for the times that bookings block: a workspace, and the range in which these times are read. */
interface BlockedTimesQuery extends Pick<BookingFilter, 'from' | 'to'> {
  orgId: string;
}

export class BookingRepository extends ScopedRepository<Booking> {
  readonly #blocked = memoizePerObject(
    (pool: Database) => new Batcher((queries: BlockedTimesQuery[]) => listBlocked(pool, queries)),
  );

  constructor() {
    super(Booking, 'booking');
  }

  /** Lists bookings that begin in the range, ordered by their start. */
  listStarting(
    scope: OrgScope,
    { from, to, status, botId }: BookingFilter,
    limit: number,
  ): Promise<Booking[]> {
    const listBatch = (size: number, last: Booking | undefined) => {
      const query = this.query(scope).andWhere('row.startsAt >= :from AND row.startsAt < :to', { from, to });
      if (status !== undefined) query.andWhere('row.status = :status', { status });
      if (botId !== undefined) query.andWhere('row.botId = :botId', { botId });
      if (last)
        query.andWhere('(row.startsAt, row.id) > (:startsAt, :lastId)', {
          startsAt: last.startsAt,
          lastId: last.id,
        });
      return query.orderBy('row.startsAt').addOrderBy('row.id').limit(size).getMany();
    };
    return listInBatches(listBatch, limit);
  }

  /** Lists the times that confirmed bookings of a workspace block within the range, in order. */
  async listBlocked(
    { db, orgId }: OrgScope,
    { from, to }: Pick<BookingFilter, 'from' | 'to'>,
  ): Promise<BlockedTime[]> {
    const blockedQuery = { orgId, from, to };
    if (!db.isTransaction) return this.#blocked(db.withoutTransaction).load(blockedQuery);
    const [blocked = []] = await listBlocked(db, [blockedQuery]);
    return blocked;
  }

  /** Inserts a booking. Returns null if another booking has taken the meeting's time. */
  async insertIfFree(
    { db, orgId }: OrgScope,
    row: Partial<Opened<Booking>> & { id: string },
  ): Promise<Opened<Booking> | null> {
    const sealed = await sealRow(db.dataSource, Booking, { ...row, orgId });
    const stored = await insertOrIgnore(db.repository(Booking), sealed);
    return stored && decryptStoredRow(db, Booking, stored);
  }

  /**
   * Returns whether a confirmed booking of the workspace, other than the given booking, overlaps the range.
   */
  hasOverlapping(
    scope: OrgScope,
    id: string,
    { from, to }: Pick<BookingFilter, 'from' | 'to'>,
  ): Promise<boolean> {
    return this.query(scope)
      .andWhere("row.status = 'confirmed' AND row.blockedUntil > :from AND row.startsAt < :to", { from, to })
      .andWhere('row.id <> :id', { id })
      .getExists();
  }

  /** Returns the conversation's newest confirmed booking; null if the conversation has none. */
  findNewestInConversation(scope: OrgScope, conversationId: string): Promise<Booking | null> {
    return this.query(scope)
      .andWhere("row.conversationId = :conversationId AND row.status = 'confirmed'", { conversationId })
      .orderBy('row.createdAt', 'DESC')
      .addOrderBy('row.id', 'DESC')
      .limit(1)
      .getOne();
  }

  /** Returns the conversation's confirmed booking with this start; null if the conversation has none. */
  findByStart(scope: OrgScope, conversationId: string, startsAt: Date): Promise<Booking | null> {
    return this.query(scope)
      .andWhere(
        "row.conversationId = :conversationId AND row.startsAt = :startsAt AND row.status = 'confirmed'",
        {
          conversationId,
          startsAt,
        },
      )
      .orderBy('row.createdAt')
      .getOne();
  }

  /**
   * Lists upcoming bookings that visitors made with this email address, in order. Skips the booking `id`.
   * @throws AppError `key_unavailable`
   */
  async listOtherUpcoming(scope: OrgScope, id: string, email: string, now: Date): Promise<Booking[]> {
    const found = await this.query(scope)
      .andWhere("row.status = 'confirmed' AND row.startsAt > :now", { now })
      .andWhere(
        '(row.keyId IS NOT NULL OR row.keyId IS NULL AND lower(row.attendee_email) = lower(:email))',
        {
          email,
        },
      )
      .andWhere("row.source <> 'team' AND row.id <> :id", { id })
      .orderBy('row.startsAt')
      .getMany();
    // Decrypt the email addresses, because SQL cannot compare encrypted addresses.
    const sealed = await this.openAll(
      scope,
      found.filter(({ keyId }) => keyId !== null),
    );
    const otherAddresses = sealed.filter(
      ({ attendeeEmail }) => attendeeEmail?.toLowerCase() !== email.toLowerCase(),
    );
    const otherIds = new Set(otherAddresses.map(({ id }) => id));
    return found.filter(({ id }) => !otherIds.has(id));
  }

  /** Lists the bookings of contacts, ordered by their start. */
  async listByContacts(scope: OrgScope, contactIds: readonly string[]): Promise<Opened<Booking>[]> {
    const found = await this.query(scope)
      .andWhere({ contactId: Any(contactIds) })
      .orderBy('row.startsAt')
      .addOrderBy('row.id')
      .getMany();
    return this.openAll(scope, found);
  }

  /** Locks all bookings of a contact or of the given conversations until the transaction ends. */
  lockByPerson(scope: OrgScope, contactId: string, conversationIds: readonly string[]): Promise<Booking[]> {
    return this.query(scope)
      .andWhere([{ contactId }, { conversationId: Any(conversationIds) }])
      .orderBy('row.id')
      .setLock('pessimistic_write')
      .getMany();
  }

  /** Moves a contact's bookings to the contact into which the first contact is merged. */
  async updateContact({ db, orgId }: OrgScope, fromId: string, contactId: string): Promise<void> {
    await db.repository(Booking).update({ orgId, contactId: fromId }, { contactId });
  }
}

async function listBlocked(db: Database, queries: readonly BlockedTimesQuery[]): Promise<BlockedTime[][]> {
  const pluck = <K extends keyof BlockedTimesQuery>(key: K) => queries.map((each) => each[key]);
  const rows = await db.run(BLOCKED_TIMES, [pluck('orgId'), pluck('from'), pluck('to')]);
  const blocked = queries.map((): BlockedTime[] => []);
  for (const { position, ...times } of rows) blocked[position - 1]!.push(times);
  return blocked;
}
