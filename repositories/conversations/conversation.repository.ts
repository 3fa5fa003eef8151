import { In, Not, type QueryDeepPartialEntity } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository, type RowChanges } from '../../database/scoped.repository.ts';
import { Conversation, type ConversationStatus } from '../../entities/conversations/conversation.entity.ts';
import { DELETE_CONVERSATIONS, BELONGS_TO_CONTACT } from './conversation.sql.ts';
import { limitToConversationsWith } from './text-search.sql.ts';

/** Tokens and cost of a model call. The cost is null if the price is unknown. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
}

/** Filters of the conversation list, with the names of the API's query parameters. */
export interface ConversationFilters {
  bot_id?: string;
  contact_id?: string;
  status?: ConversationStatus;
  resolved?: boolean;
  has_visitor_message?: boolean;
  is_lead?: boolean;
  rating?: number;
  from?: string;
  to?: string;
  q?: string;
}

export class ConversationRepository extends ScopedRepository<Conversation> {
  constructor() {
    super(Conversation, 'conversation');
  }

  /** Builds a query for the conversations that match the filters. */
  queryConversations(scope: OrgScope, filters: ConversationFilters) {
    const { bot_id: botId, contact_id: contactId, status, resolved, is_lead: isLead, rating } = filters;
    const { from, to, q, has_visitor_message: hasVisitorMessage } = filters;
    const query = this.query(scope);
    if (botId !== undefined) query.andWhere('row.botId = :botId', { botId });
    if (contactId !== undefined) query.andWhere(BELONGS_TO_CONTACT, { contactId });
    if (status !== undefined) query.andWhere('row.status = :status', { status });
    if (resolved !== undefined) query.andWhere('row.isResolved = :resolved', { resolved });
    if (hasVisitorMessage !== undefined)
      query.andWhere('row.hasVisitorMessage = :hasVisitorMessage', { hasVisitorMessage });
    if (isLead !== undefined) query.andWhere('row.isLead = :isLead', { isLead });
    if (rating !== undefined) query.andWhere('row.rating = :rating', { rating });
    if (from !== undefined) query.andWhere('row.createdAt >= :from', { from });
    if (to !== undefined) query.andWhere('row.createdAt < :to', { to });
    if (q !== undefined) limitToConversationsWith(query, q);
    return query;
  }

  /**
   * Returns those of the given conversations that exist, locked until the transaction ends. Locks them in the
   * order of their ids, as turns do, so that transactions do not deadlock.
   */
  listLocked(scope: OrgScope, ids: readonly string[]): Promise<Conversation[]> {
    return this.query(scope)
      .andWhere({ id: In(ids) })
      .orderBy('row.id')
      .setLock('pessimistic_write')
      .getMany();
  }

  /** Applies the same changes to all given conversations of a workspace. */
  async updateAll(
    { db, orgId }: OrgScope,
    ids: readonly string[],
    changes: RowChanges<Conversation>,
  ): Promise<void> {
    if (ids.length === 0) return;
    const columns = changes as QueryDeepPartialEntity<Conversation>;
    await db.repository(Conversation).update({ id: In(ids), orgId }, columns);
  }

  /**
   * Deletes conversations with their messages, and subtracts them from the bots' counters. Returns the ids of
   * the deleted conversations.
   */
  async deleteAll({ db, orgId }: OrgScope, ids: readonly string[]): Promise<string[]> {
    const deleted = await db.run(DELETE_CONVERSATIONS, [ids, orgId]);
    return deleted.map(({ id }) => id);
  }

  /** Adds the usage of a model call that produced no stored answer, such as a summary, to a conversation. */
  async addUsage(
    { orgId, db }: OrgScope,
    id: string,
    { inputTokens, outputTokens, costUsd }: ModelUsage,
  ): Promise<void> {
    await db
      .repository(Conversation)
      .createQueryBuilder()
      .update()
      .set({
        totalInputTokens: () => 'least(total_input_tokens::bigint + :inputTokens, 2147483647)',
        totalOutputTokens: () => 'least(total_output_tokens::bigint + :outputTokens, 2147483647)',
        totalCostUsd: () => 'total_cost_usd + :costUsd',
      })
      .where({ id, orgId })
      .setParameters({ inputTokens, outputTokens, costUsd: costUsd ?? 0 })
      .execute();
  }

  /** Returns the ids of those of the given conversations that belong to other workspaces. */
  async listInOtherOrgs({ orgId, db }: OrgScope, ids: readonly string[]): Promise<string[]> {
    const where = { id: In(ids), orgId: Not(orgId) };
    const rows = await db.repository(Conversation).find({ where, select: { id: true } });
    return rows.map(({ id }) => id);
  }
}
