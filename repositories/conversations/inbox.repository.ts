import { In, type ObjectLiteral, type SelectQueryBuilder } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { InboxDelta } from '../../entities/conversations/inbox-delta.entity.ts';

export interface InboxFilter {
  botId?: string | undefined;
  /** Member to whom the open handoff is assigned; null selects handoffs without an agent. */
  assignedToId?: string | null | undefined;
}

/** Queries the inbox, which contains conversations in an open handoff. */
export class InboxRepository {
  readonly #conversations = new ScopedRepository(Conversation, 'conversation');
  readonly #deltas = new ScopedRepository(InboxDelta, 'handoff');

  /** Builds a query for the open handoffs that match the inbox filter. */
  queryHandoffs(scope: OrgScope, filter: InboxFilter) {
    const handoffs = this.#conversations.query(scope).andWhere("row.status IN ('waiting_human', 'human')");
    return applyInboxFilter(handoffs, filter);
  }

  /**
   * Builds a query for the number of open handoffs, in the column `total`. The query sums deltas, which is
   * faster than counting rows. See docs/patterns.md#deltas-instead-of-counters.
   */
  queryTotal(scope: OrgScope, filter: InboxFilter) {
    const deltas = this.#deltas.query(scope).select('coalesce(sum(row.change), 0)', 'total');
    return applyInboxFilter(deltas, filter);
  }

  /**
   * Counts the conversations that wait for an agent longer than the given conversation, which waits as well.
   * @param limit maximum count
   */
  async countWaitingBefore(
    scope: OrgScope,
    { id, handoffRequestedAt }: Pick<Conversation, 'id' | 'handoffRequestedAt'>,
    limit: number,
  ): Promise<number> {
    const waiting = this.#conversations
      .query(scope)
      .select('row.id')
      .andWhere("row.status = 'waiting_human'")
      .andWhere('(row.handoffRequestedAt, row.id) < (:handoffRequestedAt, :id)', { handoffRequestedAt, id });
    return (await waiting.limit(limit).getRawMany()).length;
  }

  /** Returns the given conversations that exist, whether they are in the inbox or not. */
  listByIds(scope: OrgScope, ids: string[]): Promise<Conversation[]> {
    const query = this.#conversations.query(scope).andWhere({ id: In(ids) });
    return query.getMany();
  }
}

/**
 * Adds the conditions of the inbox filter to a query. Parameter names are the same in all queries, because
 * one query becomes a subquery of another.
 */
function applyInboxFilter<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  { botId, assignedToId }: InboxFilter,
): SelectQueryBuilder<Row> {
  if (botId !== undefined) query.andWhere('row.botId = :botId', { botId });
  if (assignedToId === null) query.andWhere('row.assignedToId IS NULL');
  else if (assignedToId !== undefined) query.andWhere('row.assignedToId = :assignedToId', { assignedToId });
  return query;
}
