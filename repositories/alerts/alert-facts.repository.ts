import { In, IsNull, type EntityTarget, type FindOptionsWhere, type ObjectLiteral } from 'typeorm';
import { decryptRows, type ContentRow } from '../../database/content.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';

/** The rows that a workspace's alerts describe, by id. The maps contain no deleted rows. */
export interface AlertFacts {
  bots: Map<string, Bot>;
  conversations: Map<string, Opened<Conversation>>;
  contacts: Map<string, Opened<Contact>>;
  documents: Map<string, Document>;
  messages: Map<string, Opened<Message>>;
  bookings: Map<string, Opened<Booking>>;
  webhooks: Map<string, Webhook>;
  connections: Map<string, CalendarConnection>;
}

/** Ids of the rows that an alert describes, by the name of their field in the event, such as `bot_id`. */
export type FactIds = Readonly<Record<string, string>>;

interface Row extends ObjectLiteral {
  id: string;
}

/** Reads the rows that a workspace's alerts describe. */
export class AlertFactsRepository {
  /**
   * Reads and decrypts the rows that alerts describe.
   * @throws AppError `key_unavailable`
   */
  async read(scope: OrgScope, all: readonly FactIds[]): Promise<AlertFacts> {
    const collectIds = (name: string) => [
      ...new Set(all.flatMap(({ [name]: id }) => (id === undefined ? [] : [id]))),
    ];
    const notDeleted = { deletedAt: IsNull() };
    const conversations = await decryptRowsById(scope, Conversation, collectIds('conversation_id'));
    const contactIds = [...conversations.values()].flatMap(({ contactId }) => contactId ?? []);
    const [bots, contacts, documents, messages, bookings, webhooks, connections] = await Promise.all([
      findRowsById(scope, Bot, collectIds('bot_id'), notDeleted),
      decryptRowsById(scope, Contact, [...new Set([...collectIds('contact_id'), ...contactIds])], notDeleted),
      findRowsById(scope, Document, collectIds('document_id')),
      decryptRowsById(scope, Message, collectIds('message_id')),
      decryptRowsById(scope, Booking, collectIds('booking_id')),
      findRowsById(scope, Webhook, collectIds('webhook_id'), notDeleted),
      findRowsById(scope, CalendarConnection, collectIds('connection_id'), { hiddenAt: IsNull() }),
    ]);
    return { bots, conversations, contacts, documents, messages, bookings, webhooks, connections };
  }

  /** Returns the workspace; null if the workspace is deleted. */
  async findOrg({ db, orgId }: OrgScope): Promise<Pick<Org, 'name' | 'settings'> | null> {
    return db
      .repository(Org)
      .findOne({ where: { id: orgId, deletedAt: IsNull() }, select: { name: true, settings: true } });
  }
}

async function findRowsById<T extends Row>(
  { db, orgId }: OrgScope,
  entity: EntityTarget<T>,
  ids: string[],
  also: object = {},
): Promise<Map<string, T>> {
  if (ids.length === 0) return new Map();
  const where = { orgId, id: In(ids), ...also } as unknown as FindOptionsWhere<T>;
  const rows = await db.repository(entity).findBy(where);
  return new Map(rows.map((row) => [row.id, row]));
}

async function decryptRowsById<T extends Row & ContentRow>(
  scope: OrgScope,
  entity: EntityTarget<T>,
  ids: string[],
  also: object = {},
): Promise<Map<string, Opened<T>>> {
  const rows = await findRowsById(scope, entity, ids, also);
  const opened = await decryptRows(scope.db, entity, [...rows.values()]);
  return new Map([...rows.keys()].map((id, index) => [id, opened[index]!]));
}
