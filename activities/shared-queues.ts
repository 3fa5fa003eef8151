import { PayerQueue } from '../services/requests/payer-queue.ts';

/**
 * Maximum concurrent downloads of websites by one worker. A single payer uses at most half, so that another
 * payer's download starts at once even if all servers of the first payer hang. Each download needs memory for
 * the pages.
 */
const FETCHES_AT_ONCE = 12;
/** Maximum concurrent activities of one worker that call models. A single payer uses at most half. */
const MODEL_CALLS_AT_ONCE = 40;
/**
 * Tasks that may wait in an activity, for each slot. A waiting task starts as soon as a slot is free, without a
 * round trip to Temporal.
 */
const WAITING_PER_SLOT = 1;
/**
 * Maximum wait within an activity. After this time, the workflow pauses, so that the worker takes tasks of
 * other payers.
 */
const MAX_WAIT_MS = 5000;

/** Maximum number of activities of both queues that run or wait for a slot. */
export const FETCH_ACTIVITIES_AT_ONCE = FETCHES_AT_ONCE * (1 + WAITING_PER_SLOT);
export const MODEL_ACTIVITIES_AT_ONCE = MODEL_CALLS_AT_ONCE * (1 + WAITING_PER_SLOT);

/** Creates the queues of activities that wait for servers which customers choose. Payers share their slots. */
export function createSharedQueues(): { fetches: PayerQueue; modelCalls: PayerQueue } {
  return { fetches: createQueue(FETCHES_AT_ONCE), modelCalls: createQueue(MODEL_CALLS_AT_ONCE) };
}

function createQueue(slots: number): PayerQueue {
  return new PayerQueue({ slots, maxWaiting: slots * WAITING_PER_SLOT, maxWaitMs: MAX_WAIT_MS });
}
