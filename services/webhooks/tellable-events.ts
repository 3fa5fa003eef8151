import { isReadable, keysAtHand, openContent } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { contentEvents } from './event-catalogue.ts';

/** Those of the events that can be told at this moment; the keys of the others' workspaces are out of reach. */
export async function tellableEvents(db: Database, events: readonly OutboxRow[]): Promise<OutboxRow[]> {
  const telling = events.filter(({ name, keyId }) => keyId !== null || contentEvents.has(name));
  await openContent(db, OutboxRow, telling);
  const keys = await keysAtHand(
    db,
    telling.map(({ orgId }) => orgId),
  );
  const held = new Set(telling.filter((event) => !keys.has(event.orgId) || !isReadable(db, event)));
  return events.filter((event) => !held.has(event));
}
