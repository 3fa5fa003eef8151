import { loadAvailableKeys, openAvailableRows } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { contentEvents } from './event-catalogue.ts';

/** Decrypts the events that can be delivered now. Omits events of workspaces whose key is unavailable. */
export async function openAvailableEvents(
  db: Database,
  events: readonly OutboxRow[],
): Promise<Opened<OutboxRow>[]> {
  const opened = (await openAvailableRows(db, OutboxRow, events)).filter((event) => event !== null);
  const needsKey = ({ name, keyId }: Opened<OutboxRow>) => keyId !== null || contentEvents.has(name);
  const keys = await loadAvailableKeys(
    db,
    opened.filter(needsKey).map(({ orgId }) => orgId),
  );
  return opened.filter((event) => !needsKey(event) || keys.has(event.orgId));
}
