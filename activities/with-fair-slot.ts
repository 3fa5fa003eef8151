import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { backoffMs } from '../core/concurrency/backoff.ts';
import type { FairShare } from '../core/concurrency/fair-share.ts';
import type { OrgScope } from '../database/org-scope.ts';
import { findPayerId } from '../services/requests/payer-queue.ts';

/**
 * Delays after which Temporal retries an activity without a free slot: 1 to 3 seconds at first, later up to
 * 45 seconds.
 */
const PAUSES = { firstMs: 2000, maxMs: 30_000, jitter: 0.5 };

interface Refusal {
  /**
   * Plural noun for the kind of work that gets no slot, such as `calls`; part of the message for operators.
   */
  noun: string;
  /** Type of the ApplicationFailure that is thrown if no slot is free. */
  type: string;
}

/**
 * Runs an activity's `work` in one of a worker's slots, which all payers share.
 * @throws ApplicationFailure if the workspace's payer already uses its share of slots; Temporal retries later
 */
export async function withFairSlot<T>(
  slots: FairShare,
  scope: OrgScope,
  refusal: Refusal,
  work: () => Promise<T>,
): Promise<T> {
  const payerId = await findPayerId(scope);
  if (slots.countAvailable(payerId) === 0) throw createNoSlotFailure(refusal);
  slots.take(payerId);
  try {
    return await work();
  } finally {
    slots.release(payerId);
  }
}

/**
 * Creates the failure of an activity whose payer has no free slot. Temporal retries it after a random,
 * growing delay.
 */
export function createNoSlotFailure({ noun, type }: Refusal): ApplicationFailure {
  return ApplicationFailure.create({
    message: `Many other ${noun} for this payer are under way; waiting for some of them to end.`,
    type,
    category: 'BENIGN',
    nextRetryDelay: Math.round(backoffMs(activityInfo().attempt - 1, PAUSES)),
  });
}
