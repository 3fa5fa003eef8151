import type { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import type { Database } from '../../database/database.ts';
import type { Opened } from '../../database/sealed-columns.ts';

/** Hands over one batch of due rows; returns whether more may be due already. */
export interface RelayHalf {
  readonly kind: OutboxRow['kind'];
  relayBatch(): Promise<boolean>;
}

/** Sink of the events. */
export interface EventSink {
  /**
   * Takes those of the events out of the outbox that are still there, and hands them over, both or neither.
   * @param db a transaction that holds them, or none
   */
  deliver(db: Database, events: Opened<OutboxRow>[]): Promise<void>;
}
