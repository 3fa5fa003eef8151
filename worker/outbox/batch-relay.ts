import type { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import type { Database } from '../../database/database.ts';
import type { Opened } from '../../database/sealed-columns.ts';

/** Delivers batches of due rows. */
export interface BatchRelay {
  readonly kind: OutboxRow['kind'];
  relayBatch(): Promise<boolean>;
}

/** Receives events. */
export interface EventSink {
  /**
   * Deletes the events that are still in the outbox and delivers them, both or neither.
   * @param db a transaction that holds the events, or the database
   */
  deliver(db: Database, events: Opened<OutboxRow>[]): Promise<void>;
}
