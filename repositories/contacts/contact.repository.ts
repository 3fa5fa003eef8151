import { newId } from '../../core/ids.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import {
  hasRefused,
  type Consent,
  type Conversation,
} from '../../entities/conversations/conversation.entity.ts';
import type { DeletedConversation } from '../../entities/conversations/deleted-conversation.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';

/** Who talks in a conversation: the verified contact where there is one, or else whoever uses a browser. */
export interface VisitorOfBot {
  botId: string;
  browserId: string;
  /** Of the verified contact. */
  contactId: string | null;
}

/** A browser that talks to a bot. */
export type Browser = Pick<VisitorOfBot, 'botId' | 'browserId'>;

/** With what the page calls the visitor. */
export type NamedVisitor = VisitorOfBot & Pick<Conversation, 'visitorId'>;

/** What is known of a conversation that is deleted. */
type RememberedConversation = Pick<DeletedConversation, 'id' | 'replyIds' | 'beganAt'>;

/** What a contact's conversations come to. */
export interface ContactActivity {
  conversationCount: number;
  messageCount: number;
  lastSeenAt: Date;
}

/** Who a visitor has been until an identity token came. */
export interface KnownContacts {
  verified: Contact | null;
  anonymous: Contact | null;
}

/** As conversations name the visitor. */
export function visitorOf({ id, identity, botId, browserId }: Contact): VisitorOfBot {
  return { botId, browserId, contactId: identity === null ? null : id };
}

export class ContactRepository extends ScopedRepository<Contact> {
  /** Conversations that refer to a locked contact can be written meanwhile: writing one checks that the contact is there. */
  protected override readonly lockForUpdate = 'for_no_key_update';

  constructor() {
    super(Contact, 'contact');
  }

  /** Locks the row until the transaction ends. */
  async lockOfVisitor(
    scope: OrgScope,
    { botId, browserId, contactId }: VisitorOfBot,
  ): Promise<Contact | null> {
    const query = this.query(scope).setLock(this.lockForUpdate);
    if (contactId !== null) return query.andWhere('row.id = :contactId', { contactId }).getOne();
    return query
      .andWhere('row.bot_id = :botId AND row.browser_id = :browserId', { botId, browserId })
      .andWhere('row.identity IS NULL')
      .getOne();
  }

  /** Returns whether there was none yet; waits for whoever is about to create it. */
  async create(
    { db, orgId }: OrgScope,
    { botId, browserId, visitorId, contactId }: NamedVisitor,
  ): Promise<boolean> {
    if (contactId !== null) return false;
    const created = await db.sql(
      `INSERT INTO contacts (id, org_id, bot_id, browser_id, visitor_id, country, first_seen_at)
       SELECT $1, $2, $3, $4, $5, (array_agg(country ORDER BY created_at DESC) FILTER (WHERE country IS NOT NULL))[1],
              coalesce(min(created_at), now())
       FROM conversations WHERE bot_id = $3 AND browser_id = $4 AND contact_id IS NULL
       ON CONFLICT (bot_id, browser_id) WHERE identity IS NULL AND deleted_at IS NULL DO NOTHING RETURNING id`,
      [newId(), orgId, botId, browserId, visitorId],
    );
    return created.length === 1;
  }

  /** The contacts of conversations, in the order of those; null for a visitor who is unknown. */
  async ofVisitors(scope: OrgScope, visitors: readonly VisitorOfBot[]): Promise<(Contact | null)[]> {
    if (visitors.length === 0) return [];
    const contacts = await this.query(scope)
      .andWhere(
        `row.id IN (
           SELECT unnest(:contactIds::uuid[])
           UNION ALL
           SELECT known.id FROM unnest(:botIds::uuid[], :browserIds::uuid[]) AS asked (bot_id, browser_id)
           JOIN contacts known USING (bot_id, browser_id)
           WHERE known.identity IS NULL AND known.deleted_at IS NULL)`,
        {
          contactIds: visitors.flatMap(({ contactId }) => contactId ?? []),
          botIds: visitors.map(({ botId }) => botId),
          browserIds: visitors.map(({ browserId }) => browserId),
        },
      )
      .getMany();
    const byVisitor = new Map(contacts.map((contact) => [keyOf(visitorOf(contact)), contact]));
    return visitors.map((visitor) => byVisitor.get(keyOf(visitor)) ?? null);
  }

  /** Counted when it is read, so that it is exact whatever is written meanwhile. */
  async activityOf({ db, orgId }: OrgScope, contactIds: string[]): Promise<Map<string, ContactActivity>> {
    const rows = await db.sql<ContactActivity & { id: string }>(
      `SELECT k.id, count(c.id)::int AS "conversationCount",
              coalesce(sum(c.message_count), 0)::int AS "messageCount",
              coalesce(max(c.visitor_seen_at), k.first_seen_at) AS "lastSeenAt"
       FROM contacts k LEFT JOIN LATERAL (
         SELECT id, message_count, visitor_seen_at FROM conversations WHERE contact_id = k.id
         UNION ALL
         SELECT id, message_count, visitor_seen_at FROM conversations
         WHERE k.identity IS NULL AND contact_id IS NULL AND bot_id = k.bot_id AND browser_id = k.browser_id
       ) c ON true
       WHERE k.id = ANY($1) AND k.org_id = $2 GROUP BY k.id`,
      [contactIds, orgId],
    );
    return new Map(rows.map(({ id, ...activity }) => [id, activity]));
  }

  /** Keeps what the visitor has said in the conversation, also for when that is deleted. */
  async noteConsent(
    { db, orgId }: OrgScope,
    { id, botId, browserId, contactId }: Conversation,
    consent: Consent,
  ): Promise<void> {
    await db.sql(
      `INSERT INTO visitor_consents (id, org_id, bot_id, browser_id, contact_id, consent)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (id) DO UPDATE SET consent = excluded.consent, said_at = excluded.said_at`,
      [id, orgId, botId, browserId, contactId, consent],
    );
  }

  /** What the visitor has said anonymously counts for the verified contact from now on. */
  async giveConsents(
    { db, orgId }: OrgScope,
    { botId, browserId }: Browser,
    contactId: string,
  ): Promise<void> {
    await db.sql(
      `UPDATE visitor_consents SET contact_id = $4
       WHERE org_id = $1 AND bot_id = $2 AND browser_id = $3 AND contact_id IS NULL`,
      [orgId, botId, browserId, contactId],
    );
  }

  async removeConsents({ db, orgId }: OrgScope, visitor: VisitorOfBot): Promise<void> {
    const { condition, values } = conversationsOf(visitor);
    await db.sql(`DELETE FROM visitor_consents WHERE org_id = $1 AND ${condition}`, [orgId, ...values]);
  }

  /** Whether what the visitor has said last, in whichever conversation, was a refusal. */
  async hasRefusedConsent({ db, orgId }: OrgScope, visitor: VisitorOfBot): Promise<boolean> {
    const { condition, values } = conversationsOf(visitor);
    const [latest] = await db.sql<{ consent: Consent }>(
      `SELECT consent FROM visitor_consents WHERE org_id = $1 AND ${condition}
       ORDER BY said_at DESC, id DESC LIMIT 1`,
      [orgId, ...values],
    );
    return latest !== undefined && hasRefused(latest.consent);
  }

  /** Whether the visitor has filled in a form, in whichever conversation. */
  async isLeadAnywhere({ db, orgId }: OrgScope, visitor: VisitorOfBot): Promise<boolean> {
    const { condition, values } = conversationsOf(visitor);
    const rows = await db.sql(
      `SELECT FROM conversations WHERE org_id = $1 AND ${condition} AND is_lead LIMIT 1`,
      [orgId, ...values],
    );
    return rows.length > 0;
  }

  /** Lets only one transaction at a time work on who has this identity. It comes before all other locks. */
  async holdIdentity({ db, orgId }: OrgScope, identity: string): Promise<void> {
    await db.sql(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`contact ${orgId} ${identity}`]);
  }

  /** Locks what the visitor's conversations are until the transaction ends; answers with their ids. */
  async lockConversations({ db, orgId }: OrgScope, visitor: VisitorOfBot): Promise<string[]> {
    const { condition, values } = conversationsOf(visitor);
    const rows = await db.sql<{ id: string }>(
      `SELECT id FROM conversations WHERE org_id = $1 AND ${condition} ORDER BY id FOR UPDATE`,
      [orgId, ...values],
    );
    return rows.map(({ id }) => id);
  }

  /** The contact that has this identity and the anonymous one of the browser, both locked. */
  async lockForIdentity(
    scope: OrgScope,
    identity: string,
    { botId, browserId }: Browser,
  ): Promise<KnownContacts> {
    const rows = await this.query(scope)
      .andWhere(
        `(row.identity = :identity OR row.identity IS NULL AND row.bot_id = :botId AND row.browser_id = :browserId)`,
        { identity, botId, browserId },
      )
      .orderBy('row.id')
      .setLock(this.lockForUpdate)
      .getMany();
    return {
      verified: rows.find((row) => row.identity === identity) ?? null,
      anonymous: rows.find((row) => row.identity === null) ?? null,
    };
  }

  /** Gives the conversations that the visitor had anonymously and that are deleted, too. */
  async giveDeletedConversations(
    { db, orgId }: OrgScope,
    { botId, browserId }: Browser,
    contactId: string,
  ): Promise<void> {
    await db.sql(
      `UPDATE deleted_conversations SET contact_id = $4
       WHERE org_id = $1 AND contact_id IS NULL AND bot_id = $2 AND browser_id = $3`,
      [orgId, botId, browserId, contactId],
    );
  }

  /** Forgets the deleted conversations of the visitor; returns what they were. */
  takeDeletedConversations(
    { db, orgId }: OrgScope,
    visitor: VisitorOfBot,
  ): Promise<RememberedConversation[]> {
    const { condition, values } = conversationsOf(visitor);
    return db.sql<RememberedConversation>(
      `DELETE FROM deleted_conversations WHERE org_id = $1 AND ${condition}
       RETURNING id, reply_ids AS "replyIds", began_at AS "beganAt"`,
      [orgId, ...values],
    );
  }

  /** Whether another contact has taken it over. */
  async isMerged({ db, orgId }: OrgScope, contactId: string): Promise<boolean> {
    const rows = await db.sql(
      'SELECT FROM contacts WHERE org_id = $1 AND erased_ids @> ARRAY[$2::uuid] LIMIT 1',
      [orgId, contactId],
    );
    return rows.length > 0;
  }

  /** Gives conversations that are locked to a verified contact; returns when they began. */
  async giveConversations(
    { db, orgId }: OrgScope,
    conversationIds: readonly string[],
    contactId: string,
  ): Promise<Date[]> {
    const given = await db.sql<{ createdAt: Date }>(
      `UPDATE conversations SET contact_id = $3 WHERE org_id = $1 AND id = ANY($2)
       RETURNING created_at AS "createdAt"`,
      [orgId, conversationIds, contactId],
    );
    return given.map(({ createdAt }) => createdAt);
  }
}

/** What holds for the conversations and consents of a visitor; parameters begin at $2. */
function conversationsOf({ botId, browserId, contactId }: VisitorOfBot) {
  return contactId === null
    ? { condition: 'contact_id IS NULL AND bot_id = $2 AND browser_id = $3', values: [botId, browserId] }
    : { condition: 'contact_id = $2', values: [contactId] };
}

function keyOf({ botId, browserId, contactId }: VisitorOfBot): string {
  return contactId ?? `${botId} ${browserId}`;
}
