import type { OrgScope } from '../../database/org-scope.ts';
import { GLIMPSES } from './glimpse.sql.ts';
import type { Glimpse } from './glimpse.sql.ts';

const NOTHING_SAID: Glimpse = { firstQuestion: null, lastMessage: null, lastMessageRole: null };

export class GlimpseRepository {
  /** What was said first and last in each of the conversations, in their order. */
  async list({ db, orgId }: OrgScope, conversationIds: readonly string[]): Promise<Glimpse[]> {
    if (conversationIds.length === 0) return [];
    const rows = await db.run(GLIMPSES, [conversationIds, orgId]);
    const byId = new Map(rows.map(({ id, ...glimpse }) => [id, glimpse]));
    return conversationIds.map((id) => byId.get(id) ?? NOTHING_SAID);
  }
}
