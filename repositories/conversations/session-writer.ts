import { Batcher } from '../../core/concurrency/batcher.ts';
import { newId } from '../../core/ids.ts';
import type { Database, PreparedStatement } from '../../database/database.ts';
import { tellOf } from '../../entities/outbox/outbox.entity.ts';
import { lockedBots } from '../bots/locked-bots.sql.ts';

export interface NewSession {
  /** Of the conversation. */
  id: string;
  botId: string;
  visitorId: string;
  browserId: string;
  pageUrl: string | null;
  referrer: string | null;
  /** ISO 3166-1 code, where it is known. */
  country: string | null;
  /** Of the contact that an identity token vouches for. */
  contactId: string | null;
  /** The span that it is started in (W3C Trace Context), where traces are kept. */
  traceparent: string | null;
}

/** Whether the visitor's last word on consent was a refusal, as far as it matters. */
const HAS_REFUSED = `a.country IS NOT NULL AND (
          SELECT v.consent FROM visitor_consents v
          WHERE v.contact_id = a.contact_id
             OR a.contact_id IS NULL AND v.contact_id IS NULL AND v.bot_id = a.bot_id AND v.browser_id = a.browser_id
          ORDER BY v.said_at DESC, v.id DESC LIMIT 1) IN ('denied', 'withdrawn')`;

const IS_ON = "b.status = 'active' AND b.is_public AND b.deleted_at IS NULL";

const START: PreparedStatement = {
  name: 'start-sessions',
  text: `
    WITH asked AS (
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                           $9::uuid[], $10::uuid[])
        AS asked (id, event_id, bot_id, visitor_id, page_url, referrer, traceparent, country, contact_id, browser_id)
    ), ${lockedBots('b.id, b.org_id', 'SELECT bot_id FROM asked', IS_ON)}, started AS (
      INSERT INTO conversations (id, org_id, bot_id, visitor_id, page_url, referrer, country, contact_id, is_vouched_for, browser_id)
      SELECT a.id, bot.org_id, bot.id, a.visitor_id, a.page_url, a.referrer, CASE WHEN ${HAS_REFUSED} THEN NULL ELSE a.country END,
        a.contact_id, a.contact_id IS NOT NULL, a.browser_id
      FROM asked a JOIN bot ON bot.id = a.bot_id
      RETURNING *
    ), counted AS (
      UPDATE bots b SET total_conversations = b.total_conversations + s.n
      FROM (SELECT bot_id, count(*) AS n FROM started GROUP BY bot_id) s
      WHERE b.id = s.bot_id
    ), announced AS (
      INSERT INTO outbox (id, org_id, bot_id, kind, name, payload, traceparent, due_at)
      SELECT a.event_id, s.org_id, s.bot_id, 'event', 'conversation.started', jsonb_build_object(
          'conversation_id', s.id, 'bot_id', s.bot_id, 'visitor_id', s.visitor_id, 'page_url', s.page_url,
          'started_at', to_char(s.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
        a.traceparent, date_trunc('milliseconds', now())
      FROM started s JOIN asked a ON a.id = s.id
      RETURNING *
    ), woken AS MATERIALIZED (${tellOf('announced')})
    SELECT started.id FROM woken, started`,
};

/**
 * Starts sessions with everything that belongs to them: the conversation, its bot's counter, and the event. Those of the
 * same moment share one statement and one commit, so that the visitors of a busy bot do not queue for its row.
 */
export class SessionWriter {
  readonly #starts: Batcher<NewSession, boolean>;

  constructor(database: Database) {
    // What waits for a bot's row joins the next batch, instead of waiting as a statement of its own.
    this.#starts = new Batcher((sessions) => startSessions(database, sessions), 1);
  }

  /** In a transaction it is written alone. Returns false when its bot is switched off or gone meanwhile. */
  async start(db: Database, session: NewSession): Promise<boolean> {
    if (!db.isTransaction) return this.#starts.load(session);
    const [isStarted = false] = await startSessions(db, [session]);
    return isStarted;
  }
}

async function startSessions(db: Database, sessions: NewSession[]): Promise<boolean[]> {
  const column = <K extends keyof NewSession>(key: K) => sessions.map((session) => session[key]);
  const rows = await db.prepared<{ id: string }>(START, [
    column('id'),
    sessions.map(() => newId()),
    column('botId'),
    column('visitorId'),
    column('pageUrl'),
    column('referrer'),
    column('traceparent'),
    column('country'),
    column('contactId'),
    column('browserId'),
  ]);
  const started = new Set(rows.map(({ id }) => id));
  return sessions.map(({ id }) => started.has(id));
}
