import type { Database } from '../../database/database.ts';

/** Words of about 300 characters, of which no two are alike. */
const TEXT = `(SELECT string_agg(md5(n::text || i::text || w::text), ' ') FROM generate_series(1, 9) AS w)`;

/** Many conversations of a bot, each with a contact and messages that are answered; made by the database. */
export async function fillChats(
  db: Database,
  { orgId, botId }: { orgId: string; botId: string },
  { conversations, messages }: { conversations: number; messages: number },
): Promise<void> {
  const at = `timestamptz '2026-01-01 00:00:00Z' + n * interval '1 minute'`;
  await db.sql(
    `WITH made AS (SELECT n, gen_random_uuid() AS id, gen_random_uuid() AS browser_id FROM generate_series(1, $3::int) AS n),
     known AS (
       INSERT INTO contacts (id, org_id, bot_id, visitor_id, browser_id, name, first_seen_at, created_at)
       SELECT gen_random_uuid(), $1, $2, 'v-' || n, browser_id, 'Visitor ' || n, ${at}, ${at} FROM made
     ), begun AS (
       INSERT INTO conversations (id, org_id, bot_id, visitor_id, browser_id, status, message_count, has_visitor_message,
         created_at, last_message_at, visitor_seen_at, ended_at)
       SELECT id, $1, $2, 'v-' || n, browser_id, 'ended', $4::int, true, ${at}, ${at}, ${at}, ${at} FROM made
     )
     INSERT INTO messages (id, org_id, conversation_id, role, content, created_at)
     SELECT gen_random_uuid(), $1, made.id, CASE WHEN i % 2 = 1 THEN 'user' ELSE 'assistant' END, ${TEXT},
       ${at} + i * interval '1 second'
     FROM made, generate_series(1, $4::int) AS i`,
    [orgId, botId, conversations, messages],
  );
}
