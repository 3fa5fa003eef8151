import { Any, In, IsNull, MoreThanOrEqual, Not, Raw } from 'typeorm';
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
import { DELETE_DELIVERIES, whereContainsAnyId, SEALED_RESPONSES } from './erasure.sql.ts';
import type { LogPosition, SealedResponse } from './erasure.sql.ts';

/** An erased contact. Its row stays hidden until all copies of its data are deleted. */
export interface ErasedContact {
  /**
   * Ids of the erased contact, of contacts merged into it, of its conversations, of its bookings, and of
   * agents' messages to it.
   */
  ids: string[];
  firstSeenAt: Date;
}

/**
 * Kinds of emails about a visitor. The second part of their key is the id of a contact, conversation or
 * booking.
 */
const MAIL_KINDS = ['notify-lead', 'notify-handoff', 'mail-visitor', 'booking', 'note-mention'];

/** Deletes the copies of erased contacts' data. Each method can be repeated after a failure. */
export class ErasureRepository {
  /**
   * Deletes the messages of an erased contact's conversations, which the caller has locked. Returns the ids
   * of agents' messages.
   */
  async deleteMessages({ db, orgId }: OrgScope, conversationIds: readonly string[]): Promise<string[]> {
    const messages = db.repository(Message);
    const inConversations = { orgId, conversationId: In(conversationIds) };
    const replies = await messages.find({
      where: { ...inConversations, role: 'agent' },
      select: { id: true },
    });
    await messages.delete(inConversations);
    return replies.map(({ id }) => id);
  }

  async find({ db, orgId }: OrgScope, contactId: string): Promise<ErasedContact | null> {
    const erased = { id: contactId, orgId, deletedAt: Not(IsNull()) };
    const contact = await db.repository(Contact).findOneBy(erased);
    return contact && { ids: [contact.id, ...contact.formerIds], firstSeenAt: contact.firstSeenAt };
  }

  /** Deletes emails to an erased visitor, and emails to the team about the visitor, whether sent or not. */
  async deleteEmails({ db, orgId }: OrgScope, ids: string[]): Promise<void> {
    const isAbout = (key: string) =>
      `split_part(${key}, '/', 1) = ANY(:kinds) AND split_part(${key}, '/', 2) = ANY(:ids)`;
    await db.repository(MailRow).delete({ orgId, key: Raw(isAbout, { kinds: MAIL_KINDS, ids }) });
  }

  /**
   * Deletes alerts about an erased contact, and the content of the messages that contained them. Also deletes
   * the content of digests, because they may mention bookings of the contact.
   */
  async deleteAlerts({ db, orgId }: OrgScope, { ids, firstSeenAt }: ErasedContact): Promise<void> {
    const found = await db
      .repository(Alert)
      .createQueryBuilder('row')
      .select(['row.id', 'row.messageId'])
      .where('row.orgId = :orgId', { orgId })
      .andWhere(whereContainsAnyId('row.ids', ':erased'), { erased: ids })
      .getMany();
    const messageIds = [...new Set(found.flatMap(({ messageId }) => messageId ?? []))];
    const isFinished = Not(In(['pending', 'sending'] as const));
    const sinceFirstSeen = MoreThanOrEqual(firstSeenAt);
    await db.repository(AlertMessage).update(
      [
        { orgId, id: Any(messageIds) },
        { orgId, kind: 'digest', state: isFinished, createdAt: sinceFirstSeen, content: Not(IsNull()) },
      ],
      { content: null },
    );
    await db.repository(Alert).delete({ orgId, id: Any(found.map(({ id }) => id)) });
  }

  /** Removes an erased contact's ids from the audit log. The entries remain. */
  async anonymizeAuditLog({ db, orgId }: OrgScope, ids: string[]): Promise<void> {
    await db.repository(AuditEvent).update({ orgId, resourceId: Any(ids) }, { resourceId: null });
  }

  /**
   * Deletes outbox events about an erased contact. Events that a relay is processing become webhook
   * deliveries, which are deleted later.
   */
  async deleteEvents({ db, orgId }: OrgScope, ids: string[]): Promise<void> {
    const containsId = Raw((payload) => whereContainsAnyId(payload, ':ids'), { ids });
    await db.repository(OutboxRow).delete({ orgId, kind: 'event', payload: containsId });
  }

  /**
   * Deletes a batch of webhook deliveries about an erased contact, whether sent or not.
   * @returns `next`: position of the next batch, null after the last. `isBusy`: true if some deliveries were
   *   locked, so that this batch must be repeated
   */
  async deleteDeliveries(
    { db, orgId }: OrgScope,
    ids: string[],
    { createdAt, id }: LogPosition,
  ): Promise<{ next: LogPosition | null; isBusy: boolean }> {
    const [last] = await db.run(DELETE_DELIVERIES, [ids, orgId, createdAt, id]);
    return { next: last ? { id: last.id, createdAt: last.createdAt } : null, isBusy: last?.isBusy ?? false };
  }

  /**
   * Deletes stored responses to requests in an erased contact's conversations, and the conversations' rate
   * limit counters.
   */
  async deleteResponsesAndCounters({ db }: OrgScope, ids: string[]): Promise<void> {
    await db.repository(IdempotencyKey).delete({ principal: Any(ids.map((id) => `visitor:${id}`)) });
    const counted = ids.flatMap((id) => [`session:${id}`, `messages:${id}`]);
    await db.repository(RateWindow).delete({ key: Any(counted) });
  }

  /**
   * Lists the next stored responses to write requests of the workspace's API keys and members, and of callers
   * without credentials.
   */
  listResponses(
    { db, orgId }: OrgScope,
    after: Pick<SealedResponse, 'principal' | 'key'>,
  ): Promise<SealedResponse[]> {
    return db.run(SEALED_RESPONSES, [orgId, after.principal, after.key]);
  }

  async deleteResponses(
    { db }: OrgScope,
    responses: Pick<SealedResponse, 'principal' | 'key'>[],
  ): Promise<void> {
    const keys = responses.map(({ principal, key }) => ({ principal, key }));
    await db.repository(IdempotencyKey).delete(keys);
  }

  /** Deletes the row of the erased contact, which no longer has data. */
  async deleteContact({ db, orgId }: OrgScope, contactId: string): Promise<void> {
    await db.repository(Contact).delete({ id: contactId, orgId, deletedAt: Not(IsNull()) });
  }
}
