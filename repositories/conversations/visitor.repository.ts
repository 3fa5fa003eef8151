import type { Database } from '../../database/database.ts';
import { KEEP_VISITORS_PRESENT, PRESENT_VISITORS, PROLONG_VISITORS } from './visitor.sql.ts';
import type { Visitor } from './visitor.sql.ts';

/** The payload of a visitor token. */
export interface VisitorToken {
  conversation_id: string;
}

export class VisitorRepository {
  readonly #tokenSeconds: number;

  /**
   * @param tokenSeconds how long a visitor token lives after its last use, or after its conversation was reopened; where a
   *   reply was mailed, it lives as long as the handoff, so that the visitor can come back and go on
   */
  constructor(tokenSeconds: number) {
    this.#tokenSeconds = tokenSeconds;
  }

  /** The visitor of each conversation, or null where that is gone. Prolongs the sessions that have not expired. */
  async present(database: Database, conversationIds: string[]): Promise<(Visitor | null)[]> {
    const rows = await database.run(PRESENT_VISITORS, [[...new Set(conversationIds)], this.#tokenSeconds]);
    const stale = rows
      .filter(({ isExpired, isStale }) => isStale && !isExpired)
      .map(({ conversationId }) => conversationId);
    if (stale.length > 0) await database.run(PROLONG_VISITORS, [stale]);
    const byId = new Map(rows.map((row) => [row.conversationId, row]));
    return conversationIds.map((id) => byId.get(id) ?? null);
  }

  /** Notes that the visitors of the conversations are there; one whose row is locked is left for the next time. */
  async keepPresent(database: Database, conversationIds: string[]): Promise<void> {
    await database.run(KEEP_VISITORS_PRESENT, [conversationIds]);
  }
}
