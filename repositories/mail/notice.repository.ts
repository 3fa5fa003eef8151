import { ArrayContains, IsNull } from 'typeorm';
import { decryptRow } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { findEffectiveRole } from '../team/effective-role.ts';
import { NOTICE_READERS } from './notice.sql.ts';
import type { NoticeReader } from './notice.sql.ts';

/**
 * A contact with contact details, and the conversation in which the visitor submitted the details; null if
 * the conversation was deleted.
 */
export interface Lead {
  orgName: string;
  botName: string;
  contact: Opened<Contact>;
  conversation: Opened<Conversation> | null;
}

/**
 * Reads the facts that emails to members contain. Methods return null if the reason for the email no longer
 * exists.
 */
export class NoticeRepository {
  /**
   * Lists the members with a verified email address. If no member has a verified address, lists owners and
   * admins of the nearest workspace above that has such members.
   */
  listReaders(
    { db, orgId }: OrgScope,
    roles: readonly OrgRole[],
    alsoUserId: string | null = null,
  ): Promise<NoticeReader[]> {
    return db.run(NOTICE_READERS, [orgId, roles, alsoUserId]);
  }

  async isReader({ db, orgId }: OrgScope, userId: string, roles: readonly OrgRole[]): Promise<boolean> {
    const role = await findEffectiveRole(db, userId, orgId);
    return role !== null && roles.includes(role);
  }

  getOrgName({ db, orgId }: OrgScope): Promise<string> {
    return findOrgName(db, orgId);
  }

  async findDisabledWebhook({ db, orgId }: OrgScope, id: string) {
    const webhook = await db
      .repository(Webhook)
      .findOneBy({ id, orgId, isActive: false, deletedAt: IsNull() });
    return webhook && { orgName: await findOrgName(db, orgId), webhook };
  }

  async findCalendar({ db, orgId }: OrgScope, id: string) {
    const connection = await db.repository(CalendarConnection).findOneBy({ id, orgId, hiddenAt: IsNull() });
    return connection && { orgName: await findOrgName(db, orgId), connection };
  }

  /**
   * Returns the conversation if it still waits for an agent. Locks it until the transaction ends, so that a
   * later erasure finds the queued email.
   */
  async findWaitingConversation({ db, orgId }: OrgScope, id: string) {
    const found = await db.repository(Conversation).findOne({
      where: { id, orgId, status: 'waiting_human' },
      lock: { mode: 'pessimistic_read' },
    });
    if (!found) return null;
    const conversation = await decryptRow(db, Conversation, found);
    const bot = await db.repository(Bot).findOneByOrFail({ id: conversation.botId });
    return { orgName: await findOrgName(db, orgId), bot, conversation };
  }

  /**
   * Returns a contact if it is still a lead. Locks it until the transaction ends, so that a later erasure
   * finds the queued email.
   * @param conversationId id of the conversation in which the lead was submitted
   */
  async findLeadLocked({ db, orgId }: OrgScope, id: string, conversationId: string): Promise<Lead | null> {
    const lead = await findLead({ db, orgId }, id);
    if (!lead) return null;
    const row = await findLeadConversation(db, lead, conversationId);
    const bot = await db.repository(Bot).findOneByOrFail({ id: row?.botId ?? lead.botId });
    const contact = await decryptRow(db, Contact, lead);
    const conversation = row && (await decryptRow(db, Conversation, row));
    return { orgName: await findOrgName(db, orgId), botName: bot.name, contact, conversation };
  }

  /**
   * Returns whether a contact, or the contact it was merged into, is still a lead. Waits for a concurrent
   * erasure.
   */
  isLead(scope: OrgScope, id: string): Promise<boolean> {
    return inTransaction(scope, async (tx) => {
      const contacts = tx.db.repository(Contact);
      const exists = await contacts.existsBy({ id });
      const mergedIds = { orgId: tx.orgId, formerIds: ArrayContains([id]) };
      const merged = exists ? null : await contacts.findOneBy(mergedIds);
      return (await findLead(tx, merged?.id ?? id)) !== null;
    });
  }
}

function findLead({ db, orgId }: OrgScope, id: string): Promise<Contact | null> {
  const lock = { mode: 'pessimistic_read' } as const;
  const where = { id, orgId, isLead: true, deletedAt: IsNull() };
  return db.repository(Contact).findOne({ where, lock });
}

/**
 * Returns the conversation with the id `namedId`. If it is missing, returns the contact's newest conversation
 * with lead details. Conversations of an anonymous contact are found by its browser.
 */
async function findLeadConversation(
  db: Database,
  { id: contactId, orgId, botId, browserId, identity }: Contact,
  namedId: string,
): Promise<Conversation | null> {
  const conversations = db.repository(Conversation);
  const contactFilter = { orgId, isLead: true, contactId };
  const browserFilter = { orgId, isLead: true, contactId: IsNull(), botId, browserId };
  const filters = identity === null ? [contactFilter, browserFilter] : [contactFilter];
  const exactMatch = await conversations.findOneBy(filters.map((each) => ({ ...each, id: namedId })));
  return exactMatch ?? conversations.findOne({ where: filters, order: { createdAt: 'DESC' } });
}

async function findOrgName(db: Database, id: string): Promise<string> {
  const { name } = await db.repository(Org).findOneOrFail({ where: { id }, select: { name: true } });
  return name;
}
