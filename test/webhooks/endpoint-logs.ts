import type { SharedParley } from '../support/parley.ts';

type Sql = Pick<SharedParley, 'database'>;

/** Inserts this many deliveries into the webhook endpoint’s log. */
export async function fillLog(
  { database }: Sql,
  orgId: string,
  webhookId: string,
  count: number,
): Promise<void> {
  await database.sql(
    `INSERT INTO webhook_deliveries (id, org_id, webhook_id, event_id, event, payload, status, attempts)
     SELECT gen_random_uuid(), $1, $2, 'event-' || n, 'lead.captured', '{"id":"1"}', 'delivered', 1
     FROM generate_series(1, $3::int) n`,
    [orgId, webhookId, count],
  );
}

/** Counts the deliveries that remain in the webhook endpoint's log. */
export async function countRemainingDeliveries({ database }: Sql, webhookId: string): Promise<number> {
  const [row] = await database.sql<{ left: number }>(
    'SELECT count(*)::int AS left FROM webhook_deliveries WHERE webhook_id = $1',
    [webhookId],
  );
  return row!.left;
}

export const endpointExists = async ({ database }: Sql, webhookId: string) =>
  (await database.sql('SELECT FROM webhooks WHERE id = $1', [webhookId])).length > 0;
