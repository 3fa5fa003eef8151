import type { Database } from '../../database/database.ts';
import type { Statement } from '../../database/statement.ts';
import type { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import type { AlertOfEvent } from '../alerts/alert-fan-out.sql.ts';
import { FAN_OUT, FAN_OUT_AND_LEASE } from './fan-out.sql.ts';
import type { ClaimedDelivery } from './delivery-queue.sql.ts';

/** An event of the outbox, and what is said of it. */
export interface EventToDeliver extends Pick<OutboxRow, 'id' | 'orgId' | 'botId' | 'name' | 'traceparent'> {
  /** In which it happened: the time at which that begins. */
  hour: string;
  /** What policies are told of it; null where none is. */
  alert: AlertOfEvent | null;
  /** It may wait for others of its kind. */
  isBatched: boolean;
  data: object;
  /** By version of the API: what an endpoint that keeps to it gets instead. */
  older: object;
  /** The data key that both are sealed with; null where they are readable. */
  keyId: string | null;
}

/**
 * Takes events out of the outbox, counts them, and makes their deliveries to all endpoints that want them. The same event again makes
 * none. In a transaction it goes out with COMMIT.
 */
export class FanOutRepository {
  deliver(db: Database, events: readonly EventToDeliver[]): Promise<void> {
    return atLast(db, FAN_OUT, [JSON.stringify(events)]);
  }

  /**
   * The same, and leases as many of them as have places.
   * @param onLeased gets those once they are committed
   */
  deliverAndLease(
    db: Database,
    events: readonly EventToDeliver[],
    { count, leaseSeconds }: { count: number; leaseSeconds: number },
    onLeased: (deliveries: ClaimedDelivery[]) => void,
  ): Promise<void> {
    return atLast(db, FAN_OUT_AND_LEASE, [JSON.stringify(events), count, leaseSeconds], (deliveries) => {
      const leased = deliveries.filter(({ isLeased }) => isLeased);
      if (leased.length > 0) onLeased(leased);
    });
  }
}

/** @param onCommitted gets what nobody may see before */
async function atLast<Row>(
  db: Database,
  statement: Statement<Row>,
  values: unknown[],
  onCommitted: (rows: Row[]) => void = () => {},
): Promise<void> {
  if (db.isTransaction) db.runWithCommit(statement, values, onCommitted);
  else onCommitted(await db.run(statement, values));
}
