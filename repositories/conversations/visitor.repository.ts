import type { Database, PreparedStatement } from '../../database/database.ts';

/** The payload of a visitor token. */
export interface VisitorToken {
  conversation_id: string;
}

export interface Visitor {
  conversationId: string;
  orgId: string;
  botId: string;
  visitorId: string;
  /** How many messages its bot takes in a minute, of all visitors. */
  botMessagesPerMinute: number;
  /** The token was not used for too long. */
  isExpired: boolean;
}

const PRESENT: PreparedStatement = {
  name: 'present-visitors',
  text: `
    SELECT c.id AS "conversationId", c.org_id AS "orgId", c.bot_id AS "botId", c.visitor_id AS "visitorId",
           b.rate_limit_per_minute AS "botMessagesPerMinute",
           greatest(c.visitor_seen_at, c.reopened_at) <= now() - make_interval(secs => $2)
             AND NOT (c.status IN ('waiting_human', 'human') AND EXISTS (
               SELECT FROM messages m WHERE m.conversation_id = c.id AND m.mailed_at IS NOT NULL)) AS "isExpired",
           c.visitor_seen_at < now() - interval '1 minute' AS "isStale"
    FROM conversations c
    JOIN bots b ON b.id = c.bot_id AND b.deleted_at IS NULL
    WHERE c.id = ANY($1)`,
};

/** Rows are locked in the order in which turns lock them. */
const PROLONG = `
  WITH stale AS MATERIALIZED (SELECT id FROM conversations WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE)
  UPDATE conversations c SET visitor_seen_at = now() FROM stale WHERE c.id = stale.id`;

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
    const rows = await database.prepared<Visitor & { isStale: boolean }>(PRESENT, [
      [...new Set(conversationIds)],
      this.#tokenSeconds,
    ]);
    const stale = rows
      .filter(({ isExpired, isStale }) => isStale && !isExpired)
      .map(({ conversationId }) => conversationId);
    if (stale.length > 0) await database.sql(PROLONG, [stale]);
    const byId = new Map(rows.map((row) => [row.conversationId, row]));
    return conversationIds.map((id) => byId.get(id) ?? null);
  }

  /** Notes that the visitors of the conversations are there; one whose row is locked is left for the next time. */
  async keepPresent(database: Database, conversationIds: string[]): Promise<void> {
    await database.sql(
      `UPDATE conversations SET visitor_seen_at = now()
       WHERE id IN (SELECT id FROM conversations WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`,
      [conversationIds],
    );
  }
}
