import { Any, In, IsNull, MoreThanOrEqual, Not, Raw } from 'typeorm';
import { openRow } from '../../database/content.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { AlertMessage } from '../../entities/alerts/alert-message.entity.ts';
import { Alert } from '../../entities/alerts/alert.entity.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { IdempotencyKey } from '../../entities/requests/idempotency-key.entity.ts';
import { RateWindow } from '../../entities/requests/rate-window.entity.ts';
import { AuditEvent } from '../../entities/team/audit-event.entity.ts';
import { idempotentResponsePlace } from '../requests/idempotency.repository.ts';
import { DELETE_DELIVERIES, namesOne, SEALED_RESPONSES } from './erasure.sql.ts';
import type { LogPosition, StoredResponse } from './erasure.sql.ts';

/** A contact that is hidden, and what its copies are found by. */
export interface ErasedContact {
  /** Of the contact, those merged into it, its conversations and the team's messages. */
  ids: string[];
  firstSeenAt: Date;
}

/** Mails of which the second part of the key is the id of whom or what they are about. */
const MAILS = ['notify-lead', 'notify-handoff', 'mail-visitor', 'booking'];

/** Copies of what erased contacts have said and are called. Every step may be repeated. */
export class ErasureRepository {
  /** Removes the messages of conversations that are locked; returns the ids of what the team said. */
  async deleteMessages({ db, orgId }: OrgScope, conversationIds: readonly string[]): Promise<string[]> {
    const messages = db.repository(Message);
    const ofThese = { orgId, conversationId: In(conversationIds) };
    const replies = await messages.find({ where: { ...ofThese, role: 'agent' }, select: { id: true } });
    await messages.delete(ofThese);
    return replies.map(({ id }) => id);
  }

  async find({ db, orgId }: OrgScope, contactId: string): Promise<ErasedContact | null> {
    const erased = { id: contactId, orgId, deletedAt: Not(IsNull()) };
    const contact = await db.repository(Contact).findOneBy(erased);
    return contact && { ids: [contact.id, ...contact.erasedIds], firstSeenAt: contact.firstSeenAt };
  }

  /** Removes the mails that told the team of the lead, or that somebody waits, and those to the visitor, sent or not. */
  async deleteMails({ db, orgId }: OrgScope, ids: string[]): Promise<void> {
    const isAbout = (key: string) =>
      `split_part(${key}, '/', 1) = ANY(:mails) AND split_part(${key}, '/', 2) = ANY(:ids)`;
    await db.repository(MailRow).delete({ orgId, key: Raw(isAbout, { mails: MAILS, ids }) });
  }

  /** Removes alerts of them, and the words of messages that were made of those or, as digests may, name meetings. */
  async deleteAlerts({ db, orgId }: OrgScope, { ids, firstSeenAt }: ErasedContact): Promise<void> {
    const found = await db
      .repository(Alert)
      .createQueryBuilder('row')
      .select(['row.id', 'row.messageId'])
      .where('row.orgId = :orgId', { orgId })
      .andWhere(namesOne('row.ids', ':erased'), { erased: ids })
      .getMany();
    const told = [...new Set(found.flatMap(({ messageId }) => messageId ?? []))];
    const isOver = Not(In(['pending', 'sending'] as const));
    const since = MoreThanOrEqual(firstSeenAt);
    await db.repository(AlertMessage).update(
      [
        { orgId, id: Any(told) },
        { orgId, kind: 'digest', state: isOver, createdAt: since, content: Not(IsNull()) },
      ],
      { content: null },
    );
    await db.repository(Alert).delete({ orgId, id: Any(found.map(({ id }) => id)) });
  }

  /** What was done stays in the audit log, and to whom does not. */
  async forgetInAuditLog({ db, orgId }: OrgScope, ids: string[]): Promise<void> {
    await db.repository(AuditEvent).update({ orgId, resourceId: Any(ids) }, { resourceId: null });
  }

  /** Removes events that no relay has taken yet; those that one has at this moment become deliveries first. */
  async deleteEvents({ db, orgId }: OrgScope, ids: string[]): Promise<void> {
    const names = Raw((payload) => namesOne(payload, ':ids'), { ids });
    await db.repository(OutboxRow).delete({ orgId, kind: 'event', payload: names });
  }

  /**
   * Removes a batch of the log's deliveries, sent or not; returns where the next begins, or null after the last. A batch
   * of which some are in use at this moment is to be repeated, from where it began.
   */
  async deleteDeliveries(
    { db, orgId }: OrgScope,
    ids: string[],
    { createdAt, id }: LogPosition,
  ): Promise<{ next: LogPosition | null; isBusy: boolean }> {
    const [last] = await db.run(DELETE_DELIVERIES, [ids, orgId, createdAt, id]);
    return { next: last ? { id: last.id, createdAt: last.createdAt } : null, isBusy: last?.isBusy ?? false };
  }

  /** Removes what is kept of the sessions of conversations: responses to their visitors, and how much they have called. */
  async deleteSessions({ db }: OrgScope, ids: string[]): Promise<void> {
    await db.repository(IdempotencyKey).delete({ principal: Any(ids.map((id) => `visitor:${id}`)) });
    const counted = ids.flatMap((id) => [`session:${id}`, `messages:${id}`]);
    await db.repository(RateWindow).delete({ key: Any(counted) });
  }

  /** A batch of the stored responses to writes of the workspace's keys and members and of callers nobody knows, behind the one given. */
  listResponses(
    { db, orgId }: OrgScope,
    after: Pick<StoredResponse, 'principal' | 'key'>,
  ): Promise<StoredResponse[]> {
    return db.run(SEALED_RESPONSES, [orgId, after.principal, after.key]);
  }

  /** Its body as the master key has sealed it, and what it is sealed for. @throws AppError `key_unavailable` */
  async openResponse({ db }: OrgScope, response: StoredResponse): Promise<{ sealed: string; place: string }> {
    const { sealedBody: sealed } = await openRow(db, IdempotencyKey, response);
    return { sealed, place: idempotentResponsePlace(response) };
  }

  async deleteResponses(
    { db }: OrgScope,
    responses: Pick<StoredResponse, 'principal' | 'key'>[],
  ): Promise<void> {
    const named = responses.map(({ principal, key }) => ({ principal, key }));
    await db.repository(IdempotencyKey).delete(named);
  }

  /** Removes the empty row that is left of the contact. */
  async deleteContact({ db, orgId }: OrgScope, contactId: string): Promise<void> {
    await db.repository(Contact).delete({ id: contactId, orgId, deletedAt: Not(IsNull()) });
  }
}
