import type { Database } from '../../database/database.ts';
import { MARK_VISITORS_PRESENT, SELECT_VISITORS, EXTEND_VISITOR_SESSIONS } from './visitor.sql.ts';
import type { Visitor } from './visitor.sql.ts';

/** Payload of a visitor's token, which identifies the visitor's conversation. */
export interface VisitorToken {
  conversation_id: string;
}

export class VisitorRepository {
  readonly #tokenSeconds: number;

  /**
   * @param tokenSeconds lifetime of a visitor token after its last use or the reopening of its conversation. If a
   * reply was emailed, the token lives as long as the handoff, so that the visitor can continue.
   */
  constructor(tokenSeconds: number) {
    this.#tokenSeconds = tokenSeconds;
  }

  /**
   * Returns the visitor of each conversation; null if the conversation was deleted. Extends visitors'
   * sessions that have not expired.
   */
  async loadVisitors(database: Database, conversationIds: string[]): Promise<(Visitor | null)[]> {
    const rows = await database.run(SELECT_VISITORS, [[...new Set(conversationIds)], this.#tokenSeconds]);
    const stale = rows
      .filter(({ isExpired, isStale }) => isStale && !isExpired)
      .map(({ conversationId }) => conversationId);
    if (stale.length > 0) await database.run(EXTEND_VISITOR_SESSIONS, [stale]);
    const byId = new Map(rows.map((row) => [row.conversationId, row]));
    return conversationIds.map((id) => byId.get(id) ?? null);
  }

  /**
   * Stores that the visitors are present in their conversations. Skips conversations that another transaction
   * has locked; the next call updates them.
   */
  async markPresent(database: Database, conversationIds: string[]): Promise<void> {
    await database.run(MARK_VISITORS_PRESENT, [conversationIds]);
  }
}
