import type { Database } from '../../database/database.ts';

const WORDS = `{where,is,my,cargo,bike,the,motor,too,warm,a,battery,delivery,of,order,when,does,shop,open,and,return,refund,
  invoice,price,front,wheel,brake,helmet,size,colour,please,thanks,number,address,street,harbour,rental,for,an,hour,every,day,week,
  child,seat,chain,lock,light,in,rain,cover,service,repair,appointment,Monday,weekend,holiday,voucher,insurance,theft,not,yet,how}`;

/** SQL for a message text of sixty words, about 300 characters, different for each number. */
const TEXT = `(SELECT string_agg((v.words)[1 + (hashint4(n * 7919 + i * 611953 + w) & 1048575) % array_length(v.words, 1)], ' ')
  FROM generate_series(1, 60) AS w, (SELECT '${WORDS.replace(/\s/g, '')}'::text[] AS words) v) || ' ' || n || '.' || i`;

/** Inserts many conversations of a bot, each with a contact and messages and answers, by SQL. */
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
