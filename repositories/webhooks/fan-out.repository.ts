import type { Database } from '../../database/database.ts';
import type { Statement } from '../../database/statement.ts';
import type { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import type { EventAlert } from '../alerts/alert-fan-out.sql.ts';
import { FAN_OUT, FAN_OUT_AND_LEASE } from './fan-out.sql.ts';
import type { ClaimedDelivery } from './delivery-queue.sql.ts';

/** An event of the outbox with its data for deliveries and alerts. */
export interface EventToDeliver extends Pick<OutboxRow, 'id' | 'orgId' | 'botId' | 'name' | 'traceparent'> {
  /** Start of the hour in which it happened. */
  hour: string;
  /** The alert for policies; null if the event causes none. */
  alert: EventAlert | null;
  /** True if it may wait for others of its kind. */
  isBatched: boolean;
  data: object;
  /** Data for endpoints with an older API version, by version. */
  older: object;
  /** Id of the data key of both; null for plain text. */
  keyId: string | null;
}

/**
 * Takes events from the outbox, counts them, and creates their deliveries for all endpoints that subscribe to them. A
 * repeated event creates no deliveries. In a transaction, the statement is sent with COMMIT.
 */
export class FanOutRepository {
  deliver(db: Database, events: readonly EventToDeliver[]): Promise<void> {
    return runLast(db, FAN_OUT, [JSON.stringify(events)]);
  }

  /**
   * Like `deliver`, and leases deliveries up to the number of free places.
   * @param onLeased receives the leased deliveries after the commit
   */
  deliverAndLease(
    db: Database,
    events: readonly EventToDeliver[],
    { count, leaseSeconds }: { count: number; leaseSeconds: number },
    onLeased: (deliveries: ClaimedDelivery[]) => void,
  ): Promise<void> {
    return runLast(db, FAN_OUT_AND_LEASE, [JSON.stringify(events), count, leaseSeconds], (deliveries) => {
      const leased = deliveries.filter(({ isLeased }) => isLeased);
      if (leased.length > 0) onLeased(leased);
    });
  }
}

/** @param onCommitted receives rows that must not be visible before the commit */
async function runLast<Row>(
  db: Database,
  statement: Statement<Row>,
  values: unknown[],
  onCommitted: (rows: Row[]) => void = () => {},
): Promise<void> {
  if (db.isTransaction) db.runWithCommit(statement, values, onCommitted);
  else onCommitted(await db.run(statement, values));
}
