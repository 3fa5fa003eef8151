import { decryptReadyRows, peekCurrentKeys } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { contentEvents } from './event-catalog.ts';

/**
 * Events, split by whether they can be delivered with the encryption keys that are already decrypted. Each
 * list keeps the order.
 */
export interface ReadyEvents {
  ready: Opened<OutboxRow>[];
  /**
   * Events without content, whose workspace has an encryption key that is not decrypted yet. Such events need
   * no key.
   */
  keyless: Opened<OutboxRow>[];
  /** Events with content that need an encryption key that is not decrypted yet. */
  sealed: OutboxRow[];
  /** Unencrypted events with content whose workspace encrypts all content. */
  refused: OutboxRow[];
  /** The rows of the events in `keyless` and `sealed`. */
  withoutUnwrappedKey: OutboxRow[];
}

/** Decrypts events with the keys that are already decrypted. Calls no key service. */
export async function decryptReadyEvents(db: Database, rows: readonly OutboxRow[]): Promise<ReadyEvents> {
  const opened = await decryptReadyRows(db, OutboxRow, rows);
  const keys = await peekCurrentKeys(
    db,
    rows.map(({ orgId }) => orgId),
  );
  const events: ReadyEvents = { ready: [], keyless: [], sealed: [], refused: [], withoutUnwrappedKey: [] };
  for (const [index, row] of rows.entries()) {
    const event = opened[index] ?? null;
    if (event === null && row.keyId === null) events.refused.push(row);
    else if (event !== null && keys.has(row.orgId)) events.ready.push(event);
    else {
      events.withoutUnwrappedKey.push(row);
      if (event !== null && row.keyId === null && !contentEvents.has(row.name)) events.keyless.push(event);
      else events.sealed.push(row);
    }
  }
  return events;
}
