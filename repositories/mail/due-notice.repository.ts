import type { Database } from '../../database/database.ts';

export interface FailedContent {
  orgId: string;
  orgName: string;
  botId: string;
  botName: string;
  count: number;
  /** The newest of them, each with its reason. */
  failures: string[];
}

export interface UsedMonth {
  orgId: string;
  orgName: string;
  botId: string;
  botName: string;
  /** The first day. */
  month: string;
  percent: number;
  used: number;
  cap: number;
}

/** By hand: each claims what is due in the statement that finds it, so that of several sweeps one tells it. */
export class DueNoticeRepository {
  /**
   * Bots of which documents have failed since the team was told last, a day ago or earlier; those that are still being
   * read wait an hour at most for the rest.
   */
  takeFailedContent(db: Database, limit: number): Promise<FailedContent[]> {
    return db.sql(
      `WITH due AS (
         SELECT d.bot_id, count(*)::int AS count,
                (array_agg(coalesce(nullif(d.title, ''), d.source_url, d.filename, 'A document') || ': '
                           || coalesce(split_part(d.error_message, E'\\n', 1), 'It could not be read.')
                           ORDER BY d.failed_at DESC))[1:5] AS failures
         FROM documents d LEFT JOIN content_notices n ON n.bot_id = d.bot_id
         WHERE d.status = 'failed' AND d.failed_at > now() - interval '2 days'
           AND (n.told_at IS NULL OR d.failed_at > n.told_at AND n.told_at < now() - interval '1 day')
         GROUP BY d.bot_id
         HAVING min(d.failed_at) < now() - interval '1 hour' OR NOT EXISTS (
           SELECT FROM documents e WHERE e.bot_id = d.bot_id AND e.status IN ('pending', 'processing'))
         LIMIT $1
       ), claimed AS (
         INSERT INTO content_notices AS n (bot_id) SELECT bot_id FROM due ORDER BY bot_id
         ON CONFLICT (bot_id) DO UPDATE SET told_at = now() WHERE n.told_at < now() - interval '1 day'
         RETURNING bot_id
       )
       SELECT o.id AS "orgId", o.name AS "orgName", b.id AS "botId", b.name AS "botName", due.count, due.failures
       FROM claimed JOIN due USING (bot_id) JOIN bots b ON b.id = bot_id AND b.deleted_at IS NULL
       JOIN orgs o ON o.id = b.org_id AND o.deleted_at IS NULL`,
      [limit],
    );
  }

  /** Whoever has raised a cap is told again when the bot comes near the new one. */
  async forgetOutgrown(db: Database): Promise<void> {
    await db.sql(
      `UPDATE monthly_usage u SET told_percent = 0 WHERE (u.bot_id, u.month) IN (
         SELECT used.bot_id, used.month FROM monthly_usage used JOIN bots owner ON owner.id = used.bot_id
         WHERE used.month = date_trunc('month', now() AT TIME ZONE 'UTC')::date AND used.told_percent > 0
           AND used.messages::bigint * 100 < owner.monthly_message_cap::bigint * used.told_percent
         ORDER BY used.bot_id FOR UPDATE OF used SKIP LOCKED)`,
    );
  }

  /** Bots that have used so much of their month's answers, each once for the share. */
  takeUsedMonths(db: Database, percent: number, limit: number): Promise<UsedMonth[]> {
    return db.sql(
      `UPDATE monthly_usage u SET told_percent = $1 FROM bots b, orgs o
       WHERE b.id = u.bot_id AND o.id = b.org_id AND (u.bot_id, u.month) IN (
         SELECT used.bot_id, used.month FROM monthly_usage used JOIN bots owner ON owner.id = used.bot_id
         WHERE used.month = date_trunc('month', now() AT TIME ZONE 'UTC')::date AND used.told_percent < $1
           AND owner.monthly_message_cap > 0 AND owner.deleted_at IS NULL
           AND used.messages::bigint * 100 >= owner.monthly_message_cap::bigint * $1
         ORDER BY used.bot_id LIMIT $2 FOR UPDATE OF used SKIP LOCKED)
       RETURNING o.id AS "orgId", o.name AS "orgName", b.id AS "botId", b.name AS "botName", u.month::text AS month,
                 $1::int AS percent, u.messages AS used, b.monthly_message_cap AS cap`,
      [percent, limit],
    );
  }
}
