import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { backoffMs } from '../core/concurrency/backoff.ts';
import type { FairShare } from '../core/concurrency/fair-share.ts';

/** The first attempt comes back after one to three seconds, later ones after up to 45. */
const PAUSES = { firstMs: 2000, maxMs: 30_000, jitter: 0.5 };

interface Refusal {
  /** Plural noun for the work that the workspace has too much of, for operators. */
  what: string;
  /** The type of the failure. */
  type: string;
}

/**
 * Runs `work` in a slot of a worker, of which each workspace has its share.
 * @throws ApplicationFailure where the workspace has used its share: Temporal makes another attempt later
 */
export async function withFairSlot<T>(
  slots: FairShare,
  orgId: string,
  refusal: Refusal,
  work: () => Promise<T>,
): Promise<T> {
  if (slots.available(orgId) === 0) throw outOfTurn(refusal);
  slots.take(orgId);
  try {
    return await work();
  } finally {
    slots.release(orgId);
  }
}

/** Makes room for other workspaces at once: the activity is tried again, rarely, and not together with others. */
export function outOfTurn({ what, type }: Refusal): ApplicationFailure {
  return ApplicationFailure.create({
    message: `Many other ${what} of this workspace are under way; waiting for some of them to end.`,
    type,
    category: 'BENIGN',
    nextRetryDelay: Math.round(backoffMs(activityInfo().attempt - 1, PAUSES)),
  });
}
