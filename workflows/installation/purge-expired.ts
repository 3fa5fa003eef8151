import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { ExpiryActivities } from '../../activities/installation/expiry.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';

/** Maximum number of batches of expired rows in a run; the next scheduled run continues. */
const MAX_BATCHES = 200;

const { removeExpired } = proxyActivities<ExpiryActivities>({
  ...databaseActivity,
  summary: 'Remove a batch of expired rows',
});

export interface PurgeExpiredResult {
  idempotencyKeys: number;
  rateWindows: number;
  namesOfTurns: number;
  deliveries: number;
}

/**
 * Removes expired database rows in batches: responses stored for idempotency keys, windows of rate limits,
 * and old entries of the delivery log.
 */
export async function purgeExpired(): Promise<PurgeExpiredResult> {
  const total: PurgeExpiredResult = { idempotencyKeys: 0, rateWindows: 0, namesOfTurns: 0, deliveries: 0 };
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const { removed, isMore } = await removeExpired();
    total.idempotencyKeys += removed.idempotencyKeys;
    total.rateWindows += removed.rateWindows;
    total.namesOfTurns += removed.namesOfTurns;
    total.deliveries += removed.deliveries;
    setCurrentDetails(
      formatDetails('Removed expired rows', [
        pluralize(total.idempotencyKeys, 'idempotency key'),
        pluralize(total.rateWindows, 'rate window'),
        `idempotency keys of ${pluralize(total.namesOfTurns, 'turn')}`,
        pluralize(total.deliveries, 'webhook delivery'),
      ]),
    );
    if (!isMore) break;
  }
  return total;
}
