import type { OrgRole } from '../../entities/team/membership.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';

/** What mails to the people of a workspace say, as it is when they are written; undefined when it is not so any more. */
export class NoticeRepository {
  /** Those whose address is known to be theirs; where there are none, owners and admins of the nearest workspace above. */
  readers({ db, orgId }: OrgScope, roles: readonly OrgRole[]): Promise<{ userId: string; email: string }[]> {
    return db.sql(
      `WITH RECURSIVE up AS (
         SELECT id, parent_org_id, 0 AS level FROM orgs WHERE id = $1
         UNION ALL
         SELECT o.id, o.parent_org_id, up.level + 1 FROM up JOIN orgs o ON o.id = up.parent_org_id
       ), reader AS (
         SELECT u.id, u.email, up.level FROM up JOIN memberships m ON m.org_id = up.id JOIN users u ON u.id = m.user_id
         WHERE m.role = ANY($2) AND (level = 0 OR m.role IN ('owner', 'admin'))
           AND u.is_active AND u.email_verified_at IS NOT NULL
       )
       SELECT id AS "userId", email FROM reader WHERE level = (SELECT min(level) FROM reader) ORDER BY id`,
      [orgId, roles],
    );
  }

  async isReader({ db, orgId }: OrgScope, userId: string, roles: readonly OrgRole[]): Promise<boolean> {
    const rows = await db.sql('SELECT WHERE effective_role($2, $1) = ANY($3)', [orgId, userId, roles]);
    return rows.length > 0;
  }

  async disabledWebhook({ db, orgId }: OrgScope, endpointId: string) {
    const [facts] = await db.sql<{ orgName: string; url: string; reason: string }>(
      `SELECT o.name AS "orgName", w.url, coalesce(w.last_error, 'It kept failing.') AS reason
       FROM webhooks w JOIN orgs o ON o.id = w.org_id
       WHERE w.org_id = $1 AND w.id = $2 AND w.deleted_at IS NULL AND NOT w.is_active`,
      [orgId, endpointId],
    );
    return facts;
  }

  async waitingConversation({ db, orgId }: OrgScope, conversationId: string) {
    const [facts] = await db.sql<{ orgName: string; botName: string; notify: string[] | null }>(
      `SELECT o.name AS "orgName", b.name AS "botName", nullif(b.handoff_config -> 'notify', 'null') AS notify
       FROM conversations c JOIN bots b ON b.id = c.bot_id JOIN orgs o ON o.id = c.org_id
       WHERE c.org_id = $1 AND c.id = $2 AND c.status = 'waiting_human'`,
      [orgId, conversationId],
    );
    return facts;
  }

  /**
   * The contact stays as it is until the transaction ends: whoever erases it finds what was queued.
   * @param leftIn the conversation in which the lead was left, where that is known
   */
  async lead({ db, orgId }: OrgScope, contactId: string, leftIn: string | null) {
    const [facts] = await db.sql<{
      orgName: string;
      botName: string;
      contact: string;
      conversationId: string | null;
    }>(
      `SELECT o.name AS "orgName", b.name AS "botName",
              coalesce(nullif(c.name, ''), c.email, c.phone, 'a visitor without a name') AS contact,
              told.id AS "conversationId"
       FROM contacts c LEFT JOIN LATERAL (
         SELECT l.id, l.bot_id FROM conversations l WHERE l.is_lead AND (l.contact_id = c.id
           OR c.identity IS NULL AND l.contact_id IS NULL AND l.bot_id = c.bot_id AND l.browser_id = c.browser_id)
         ORDER BY l.id = $3 DESC NULLS LAST, l.created_at DESC LIMIT 1
       ) told ON true JOIN bots b ON b.id = coalesce(told.bot_id, c.bot_id) JOIN orgs o ON o.id = c.org_id
       WHERE c.org_id = $1 AND c.id = $2 AND c.is_lead AND c.deleted_at IS NULL FOR SHARE OF c`,
      [orgId, contactId, leftIn],
    );
    return facts;
  }

  /** Whether the contact, or the one that it was merged into, still is a lead; waits for whoever is erasing it. */
  async isLead({ db, orgId }: OrgScope, contactId: string): Promise<boolean> {
    const rows = await db.sql(
      `SELECT FROM contacts WHERE org_id = $1 AND is_lead AND deleted_at IS NULL AND id = coalesce(
         (SELECT id FROM contacts WHERE id = $2),
         (SELECT id FROM contacts WHERE org_id = $1 AND erased_ids @> ARRAY[$2::uuid] LIMIT 1)) FOR SHARE`,
      [orgId, contactId],
    );
    return rows.length > 0;
  }
}
