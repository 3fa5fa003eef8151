import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { backoffMs } from '../core/concurrency/backoff.ts';
import type { FairShare } from '../core/concurrency/fair-share.ts';

/** Retries follow after one to three seconds at first, later after up to 45. */
const PAUSES = { firstMs: 2000, maxMs: 30_000, jitter: 0.5 };

interface Refusal {
  /** Plural noun for the work of which the workspace has too much, for operators. */
  what: string;
  /** The type of the failure. */
  type: string;
}

/**
 * Runs `work` in one of a worker's slots, which workspaces share.
 * @throws ApplicationFailure if the workspace has used its share; Temporal retries later
 */
export async function withFairSlot<T>(
  slots: FairShare,
  orgId: string,
  refusal: Refusal,
  work: () => Promise<T>,
): Promise<T> {
  if (slots.available(orgId) === 0) throw createOutOfTurnFailure(refusal);
  slots.take(orgId);
  try {
    return await work();
  } finally {
    slots.release(orgId);
  }
}

/** Creates a failure that frees the slot for other workspaces. Retries back off with jitter. */
export function createOutOfTurnFailure({ what, type }: Refusal): ApplicationFailure {
  return ApplicationFailure.create({
    message: `Many other ${what} of this workspace are under way; waiting for some of them to end.`,
    type,
    category: 'BENIGN',
    nextRetryDelay: Math.round(backoffMs(activityInfo().attempt - 1, PAUSES)),
  });
}
