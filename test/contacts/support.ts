import type { EventData } from '../../services/webhooks/event-catalog.ts';
import type { ApiClient, SharedParley } from '../support/parley.ts';

export async function listContacts({ client }: { client: ApiClient }) {
  return (await client.get('/api/contacts')).body.items;
}

/** Returns the payloads of a workspace's events of that name, in the order in which they were emitted. */
export async function listPayloads<E extends keyof EventData>(
  { database }: SharedParley,
  orgId: string,
  event: E,
): Promise<EventData[E][]> {
  const rows = await database.sql<{ payload: EventData[E] }>(
    "SELECT payload FROM outbox WHERE org_id = $1 AND kind = 'event' AND name = $2 ORDER BY id",
    [orgId, event],
  );
  return rows.map(({ payload }) => payload);
}
