import type { ApiClient, TestParley } from '../support/parley.ts';

export async function contactsOf({ client }: { client: ApiClient }): Promise<any[]> {
  return (await client.get('/api/contacts')).body.items;
}

/** What the events of that name say, in the order in which they were emitted. */
export async function payloadsOf({ database }: TestParley, orgId: string, event: string): Promise<any[]> {
  const rows = await database.sql<{ payload: any }>(
    "SELECT payload FROM outbox WHERE org_id = $1 AND kind = 'event' AND name = $2 ORDER BY id",
    [orgId, event],
  );
  return rows.map(({ payload }) => payload);
}
