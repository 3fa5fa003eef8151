import type { SharedParley } from '../support/parley.ts';

type Sql = Pick<SharedParley, 'database'>;

/** Gives the endpoint a log of so many deliveries. */
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

/** How many deliveries the endpoint still has. */
export async function leftOf({ database }: Sql, webhookId: string): Promise<number> {
  const [row] = await database.sql<{ left: number }>(
    'SELECT count(*)::int AS left FROM webhook_deliveries WHERE webhook_id = $1',
    [webhookId],
  );
  return row!.left;
}

export const isThere = async ({ database }: Sql, webhookId: string) =>
  (await database.sql('SELECT FROM webhooks WHERE id = $1', [webhookId])).length > 0;
