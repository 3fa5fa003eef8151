import { withoutIndexes } from './bulk-load.ts';
import { createRequestProbe, type Dimension } from './dimension.ts';

const PART = 100_000;
/** Share of the conversations that wait for a team member: one in 500. */
const WAITING = 500;
/** Share of the conversations about a bicycle: one in 1000. */
const BICYCLES = 1000;

const buildConversationsProbe = (filter: string) =>
  createRequestProbe(`listConversations ${filter}`, () => `/api/conversations?page_size=20&${filter}`, {
    calls: 40,
  });

/** Dimension “conversations of one workspace”, each with a question and an answer. */
export const conversations: Dimension = {
  name: 'conversations',
  sizes: [100_000, 1_000_000],
  probes: [
    buildConversationsProbe('sort=last_message'),
    buildConversationsProbe('status=ended'),
    buildConversationsProbe('q=bicycle'),
  ],
  grow: async ({ db, workspace: { orgId, botId } }, from, to) => {
    const fill = async (at: number) => {
      await db.sql(
        `WITH made AS (
           INSERT INTO conversations (id, org_id, bot_id, visitor_id, browser_id, status, message_count, ended_at,
             handoff_requested_at, reopened_at, created_at, last_message_at)
           SELECT uuidv7(began.at - now()), $1, $2, 'v-' || n, gen_random_uuid(),
                  CASE WHEN n % ${WAITING} = 0 THEN 'waiting_human' ELSE 'ended' END, 2,
                  CASE WHEN n % ${WAITING} = 0 THEN NULL ELSE began.at END,
                  CASE WHEN n % ${WAITING} = 0 THEN began.at END,
                  -- Where they wait, they are not given up while this bench runs.
                  CASE WHEN n % ${WAITING} = 0 THEN now() END, began.at, began.at
           FROM generate_series($3::int + 1, $4::int) n
           CROSS JOIN LATERAL (SELECT now() - interval '2 hours' - n * interval '20 seconds' AS at) began
           RETURNING id, visitor_id, created_at
         )
         INSERT INTO messages (id, org_id, conversation_id, role, content, created_at)
         SELECT uuidv7(created_at - now()), $1, id, said.role, replace(said.content, '#', CASE WHEN substr(visitor_id, 3)::int % ${BICYCLES} = 0 THEN 'of a bicycle' ELSE substr(visitor_id, 3) END), created_at
         FROM made CROSS JOIN (VALUES ('user', 'Where is my order #? I have waited for a week.'),
                                      ('assistant', 'Order # has left our house yesterday.')) AS said (role, content)`,
        [orgId, botId, at, Math.min(at + PART, to)],
      );
    };
    await withoutIndexes(db, ['conversations', 'messages'], async () => {
      for (let at = from; at < to; at += PART) await fill(at);
    });
    // Vacuums the tables, as PostgreSQL's autovacuum would within an hour of so many inserts.
    await db.sql('VACUUM ANALYZE conversations, messages');
  },
};
