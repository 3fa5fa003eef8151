import type { Database } from '../../database/database.ts';
import { OUTBOX_CHANNEL } from '../../entities/outbox/outbox.entity.ts';
import type { Workspace } from './workspace.ts';

/** URL of a page whose length makes the body of a webhook delivery 435 bytes long. */
export const PAGE_URL = `https://www.example.com/${'bicycles/'.repeat(6)}`;

/**
 * Inserts events of each workspace into the outbox table in one transaction.
 * @param beforeCommit runs after the inserts and before the commit
 */
export async function commitEvents(
  db: Database,
  workspaces: Workspace[],
  eventsEach: number,
  beforeCommit: (tx: Database) => Promise<void> = async () => {},
): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { orgId, botId } of workspaces) {
      await tx.sql(
        `INSERT INTO outbox (id, org_id, bot_id, kind, name, payload)
         SELECT uuidv7(), $1::uuid, $2::uuid, 'event', 'conversation.started', json_build_object(
           'conversation_id', uuidv7(), 'bot_id', $2::uuid, 'visitor_id', 'visitor_' || uuidv7(),
           'page_url', $3::text, 'started_at', to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
         FROM generate_series(1, $4::int)`,
        [orgId, botId, PAGE_URL, eventsEach],
      );
    }
    await tx.sql('SELECT pg_notify($1, $2)', [OUTBOX_CHANNEL, 'event']);
    await beforeCommit(tx);
  });
}
