import type { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import type { Database } from '../../database/database.ts';
import type { Opened } from '../../database/sealed-columns.ts';

/**
 * Delivers due rows (events or commands) from the outbox table, in batches. `relayBatch` returns true if more
 * rows may be due.
 */
export interface BatchRelay {
  readonly kind: OutboxRow['kind'];
  relayBatch(): Promise<boolean>;
}

/** Receives events from the relay of the outbox and creates their webhook deliveries. */
export interface EventSink {
  /**
   * Creates the webhook deliveries of events and deletes the events from the outbox, in one transaction.
   * Skips events that are no longer in the outbox.
   * @param db the transaction that has locked the events; or the database, if they are not locked
   */
  deliver(db: Database, events: Opened<OutboxRow>[]): Promise<void>;
}
