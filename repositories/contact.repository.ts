import { newId } from '../core/ids.ts';
import { Contact } from '../entities/contact.entity.ts';
import type { OrgScope } from './org-scope.ts';
import { ScopedRepository } from './scoped.repository.ts';

/** Who talks in a conversation. */
export interface VisitorOfBot {
  botId: string;
  visitorId: string;
}

/** What a contact's conversations come to. */
export interface ContactActivity {
  conversationCount: number;
  messageCount: number;
  lastSeenAt: Date;
}

export class ContactRepository extends ScopedRepository<Contact> {
  constructor() {
    super(Contact, 'contact');
  }

  /** Locks the row until the transaction ends. */
  async lockOfVisitor(scope: OrgScope, { botId, visitorId }: VisitorOfBot): Promise<Contact | null> {
    return this.query(scope)
      .andWhere('row.bot_id = :botId AND row.visitor_id = :visitorId', { botId, visitorId })
      .setLock('pessimistic_write')
      .getOne();
  }

  /** Answers whether there was none yet; waits for whoever is about to create it. */
  async create({ db, orgId }: OrgScope, { botId, visitorId }: VisitorOfBot): Promise<boolean> {
    const created = await db.sql(
      `INSERT INTO contacts (id, org_id, bot_id, visitor_id, first_seen_at)
       SELECT $1, $2, $3, $4, coalesce(min(created_at), now()) FROM conversations
       WHERE bot_id = $3 AND visitor_id = $4
       ON CONFLICT (bot_id, visitor_id) DO NOTHING RETURNING id`,
      [newId(), orgId, botId, visitorId],
    );
    return created.length === 1;
  }

  /** The contacts of conversations, in the order of those; null for a visitor who is unknown. */
  async ofVisitors(scope: OrgScope, visitors: readonly VisitorOfBot[]): Promise<(Contact | null)[]> {
    if (visitors.length === 0) return [];
    const contacts = await this.query(scope)
      .andWhere(
        `(row.bot_id, row.visitor_id) IN (SELECT * FROM unnest(:botIds::uuid[], :visitorIds::text[]))`,
        {
          botIds: visitors.map(({ botId }) => botId),
          visitorIds: visitors.map(({ visitorId }) => visitorId),
        },
      )
      .getMany();
    const byVisitor = new Map(contacts.map((contact) => [keyOf(contact), contact]));
    return visitors.map((visitor) => byVisitor.get(keyOf(visitor)) ?? null);
  }

  /** Counted when it is read, so that it is exact whatever is written meanwhile. */
  async activityOf({ db, orgId }: OrgScope, contactIds: string[]): Promise<Map<string, ContactActivity>> {
    const rows = await db.sql<ContactActivity & { id: string }>(
      `SELECT k.id, count(c.id)::int AS "conversationCount",
              coalesce(sum(c.message_count), 0)::int AS "messageCount",
              coalesce(max(c.visitor_seen_at), k.first_seen_at) AS "lastSeenAt"
       FROM contacts k LEFT JOIN conversations c ON c.bot_id = k.bot_id AND c.visitor_id = k.visitor_id
       WHERE k.id = ANY($1) AND k.org_id = $2 GROUP BY k.id`,
      [contactIds, orgId],
    );
    return new Map(rows.map(({ id, ...activity }) => [id, activity]));
  }
}

function keyOf({ botId, visitorId }: VisitorOfBot): string {
  return `${botId} ${visitorId}`;
}
