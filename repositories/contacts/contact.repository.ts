import { Any, ArrayContains, IsNull, Not } from 'typeorm';
import { newId } from '../../core/ids.ts';
import { listCanonicalForms } from '../../core/text/canonical-forms.ts';
import { decryptStoredRow } from '../../database/content.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { limitToContactsWith } from '../conversations/text-search.sql.ts';
import { ConsentRepository } from './consent.repository.ts';
import {
  CONTACT_ACTIVITY,
  SELECT_VISITOR_CONTACT_IDS,
  CONTACT_KNOWS_BOT,
  LOCK_IDENTITY,
} from './contact.sql.ts';
import {
  toVisitorKey,
  toVisitor,
  whereVisitor,
  type Browser,
  type NamedVisitor,
  type VisitorOfBot,
} from './visitor.ts';
import { VisitorConversationRepository } from './visitor-conversation.repository.ts';
import type { ContactActivity } from './contact.sql.ts';

/** Filters of the contact list, named as in the API. */
export interface ContactFilters {
  bot_id?: string;
  is_lead?: boolean;
  tag?: string;
  country?: string;
  q?: string;
}

/**
 * The existing contacts of a visitor who presents an identity token: the verified contact, and the contact of
 * the browser.
 */
export interface VisitorContacts {
  verified: Opened<Contact> | null;
  anonymous: Opened<Contact> | null;
}

export class ContactRepository extends ScopedRepository<Contact> {
  readonly consents = new ConsentRepository();
  readonly conversations = new VisitorConversationRepository();
  /** Locks a contact without blocking inserts of conversations that refer to it. */
  protected override readonly lockForUpdate = 'for_no_key_update';

  constructor() {
    super(Contact, 'contact');
  }

  /**
   * Locks a visitor's contact until the transaction ends, and decrypts it. Returns null if the visitor has no
   * contact.
   */
  async lockByVisitor(
    scope: OrgScope,
    { botId, browserId, contactId }: VisitorOfBot,
  ): Promise<Opened<Contact> | null> {
    const where = contactId === null ? { botId, browserId, identity: IsNull() } : { id: contactId };
    const contact = await this.query(scope).setLock(this.lockForUpdate).andWhere(where).getOne();
    return contact && this.open(scope, contact);
  }

  /**
   * Inserts a contact for a visitor. Returns null if the visitor already has a contact, even one that another
   * transaction has just created.
   */
  async insertForVisitor(
    { db, orgId }: OrgScope,
    { botId, browserId, visitorId, contactId }: NamedVisitor,
  ): Promise<Opened<Contact> | null> {
    if (contactId !== null) return null;
    const conversations = db.repository(Conversation);
    const visitorFilter = { orgId, ...whereVisitor({ botId, browserId, contactId }) };
    const first = { where: visitorFilter, select: { createdAt: true }, order: { createdAt: 'ASC' } } as const;
    const latest = { select: { country: true }, order: { createdAt: 'DESC' } } as const;
    const [firstConversation, located] = await Promise.all([
      conversations.findOne(first),
      conversations.findOne({ ...latest, where: { ...visitorFilter, country: Not(IsNull()) } }),
    ]);
    const inserted = await insertOrIgnore(db.repository(Contact), {
      id: newId(),
      orgId,
      botId,
      browserId,
      visitorId,
      country: located?.country ?? null,
      firstSeenAt: firstConversation?.createdAt ?? (() => 'now()'),
    });
    return inserted && decryptStoredRow(db, Contact, inserted);
  }

  /** Builds a query for contacts that match the filters. */
  queryContacts(scope: OrgScope, { bot_id: botId, is_lead: isLead, tag, country, q }: ContactFilters) {
    const query = this.query(scope);
    if (botId !== undefined) query.andWhere(CONTACT_KNOWS_BOT, { botId });
    if (isLead !== undefined) query.andWhere(isLead ? 'row.isLead' : 'NOT row.isLead');
    if (tag !== undefined) query.andWhere('row.tags && :tags', { tags: listCanonicalForms(tag) });
    if (country !== undefined) query.andWhere({ country });
    if (q !== undefined) limitToContactsWith(query, q);
    return query;
  }

  /** Lists the ids of all contacts that match the filters, newest first. */
  async listIds(scope: OrgScope, filters: ContactFilters): Promise<string[]> {
    const rows = await this.queryContacts(scope, filters)
      .select('row.id', 'id')
      .orderBy('row.createdAt', 'DESC')
      .addOrderBy('row.id', 'DESC')
      .getRawMany<{ id: string }>();
    return rows.map(({ id }) => id);
  }

  /** Lists contacts in the order of the given ids. Skips contacts that do not exist. */
  async listByIds(scope: OrgScope, ids: readonly string[]): Promise<Contact[]> {
    const found = await this.query(scope)
      .andWhere({ id: Any(ids) })
      .getMany();
    const byId = new Map(found.map((contact) => [contact.id, contact]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Returns the contact of each visitor, in order; null for a visitor without a contact. */
  async listByVisitors(scope: OrgScope, visitors: readonly VisitorOfBot[]): Promise<(Contact | null)[]> {
    if (visitors.length === 0) return [];
    const contacts = await this.query(scope)
      .andWhere(`row.id IN (${SELECT_VISITOR_CONTACT_IDS})`, {
        contactIds: visitors.flatMap(({ contactId }) => contactId ?? []),
        botIds: visitors.map(({ botId }) => botId),
        browserIds: visitors.map(({ browserId }) => browserId),
      })
      .getMany();
    const byVisitor = new Map(contacts.map((contact) => [toVisitorKey(toVisitor(contact)), contact]));
    return visitors.map((visitor) => byVisitor.get(toVisitorKey(visitor)) ?? null);
  }

  /**
   * Returns the decrypted contact of each visitor, like `listByVisitors`.
   * @throws AppError `key_unavailable`
   */
  async openByVisitors(
    scope: OrgScope,
    visitors: readonly VisitorOfBot[],
  ): Promise<(Opened<Contact> | null)[]> {
    const found = await this.listByVisitors(scope, visitors);
    const existing = found.filter((contact) => contact !== null);
    const opened = new Map((await this.openAll(scope, existing)).map((contact) => [contact.id, contact]));
    return found.map((contact) => contact && opened.get(contact.id)!);
  }

  /**
   * Counts the conversations and messages of contacts. Counting at the time of reading is exact, even while
   * other transactions write.
   */
  async listActivity({ db, orgId }: OrgScope, contactIds: string[]): Promise<Map<string, ContactActivity>> {
    const rows = await db.run(CONTACT_ACTIVITY, [contactIds, orgId]);
    return new Map(rows.map(({ id, ...activity }) => [id, activity]));
  }

  /**
   * Locks a visitor's identity, so that only one transaction at a time assigns it to a contact. Take this
   * lock before all other locks.
   */
  async lockIdentity({ db, orgId }: OrgScope, identity: string): Promise<void> {
    await db.run(LOCK_IDENTITY, [`contact ${orgId} ${identity}`]);
  }

  /** Locks the contact with this identity, and the anonymous contact of the visitor's browser. */
  async lockForIdentity(
    scope: OrgScope,
    identity: string,
    { botId, browserId }: Browser,
  ): Promise<VisitorContacts> {
    const found = await this.query(scope)
      .andWhere([{ identity }, { identity: IsNull(), botId, browserId }])
      .orderBy('row.id')
      .setLock(this.lockForUpdate)
      .getMany();
    const rows = await this.openAll(scope, found);
    return {
      verified: rows.find((row) => row.identity === identity) ?? null,
      anonymous: rows.find((row) => row.identity === null) ?? null,
    };
  }

  /** Returns whether the contact was merged into another contact. */
  isMerged({ db, orgId }: OrgScope, contactId: string): Promise<boolean> {
    return db.repository(Contact).existsBy({ orgId, formerIds: ArrayContains([contactId]) });
  }
}
