import type { Database } from '../../database/database.ts';
import type { Statement } from '../../database/statement.ts';
import type { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import type { EventAlert } from '../alerts/alert-fan-out.sql.ts';
import { FAN_OUT, FAN_OUT_AND_LEASE } from './fan-out.sql.ts';
import type { ClaimedDelivery } from './delivery-queue.sql.ts';

/** An outbox event, with the data for its webhook deliveries and alerts. */
export interface EventToDeliver extends Pick<OutboxRow, 'id' | 'orgId' | 'botId' | 'name' | 'traceparent'> {
  /** Start of the hour in which the event happened. */
  hour: string;
  /** Alert that policies may send about the event; null if no alert reports it. */
  alert: EventAlert | null;
  /** True if the event's deliveries may wait to be sent in a batch. */
  isBatched: boolean;
  data: object;
  /** Event data in older API versions, by version, for endpoints that use these versions. */
  older: object;
  /** Id of the data key that encrypts `data` and `older`; null for plain text. */
  keyId: string | null;
}

/**
 * Takes events from the outbox, counts them, and creates their deliveries for all subscribed webhook
 * endpoints. Within a transaction, the statement is sent in the same round trip as COMMIT. A repeated event
 * creates no deliveries.
 */
export class FanOutRepository {
  deliver(db: Database, events: readonly EventToDeliver[]): Promise<void> {
    return runLast(db, FAN_OUT, [JSON.stringify(events)]);
  }

  /**
   * Creates webhook deliveries like `deliver`, and leases new deliveries to this process.
   * @param count maximum number of leases
   * @param fullEndpoints endpoints whose deliveries are not leased
   * @param onLeased receives the leased deliveries after the commit
   */
  deliverAndLease(
    db: Database,
    events: readonly EventToDeliver[],
    {
      count,
      fullEndpoints,
      leaseSeconds,
    }: { count: number; fullEndpoints: readonly string[]; leaseSeconds: number },
    onLeased: (deliveries: ClaimedDelivery[]) => void,
  ): Promise<void> {
    const values = [JSON.stringify(events), count, leaseSeconds, fullEndpoints];
    return runLast(db, FAN_OUT_AND_LEASE, values, (deliveries) => {
      const leased = deliveries.filter(({ isLeased }) => isLeased);
      if (leased.length > 0) onLeased(leased);
    });
  }
}

/**
 * Runs the statement that creates webhook deliveries; within a transaction, in the same round trip as COMMIT.
 * @param onCommitted receives the rows after the commit
 */
async function runLast<Row>(
  db: Database,
  statement: Statement<Row>,
  values: unknown[],
  onCommitted: (rows: Row[]) => void = () => {},
): Promise<void> {
  if (db.isTransaction) db.runWithCommit(statement, values, onCommitted);
  else onCommitted(await db.run(statement, values));
}
