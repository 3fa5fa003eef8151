import { PayerQueue } from '../services/requests/payer-queue.ts';

/**
 * Maximum number of downloads of websites that one worker runs at once. A single payer uses at most half, so
 * that another payer's download starts at once even if all servers of the first payer hang. Each download
 * needs memory for the pages.
 */
const FETCHES_AT_ONCE = 12;
/**
 * Maximum number of activities of one worker that call models at the same time. A single payer uses at most
 * half.
 */
const MODEL_CALLS_AT_ONCE = 40;
/**
 * Maximum number of waiting tasks for each slot of a queue. They wait inside their activity, so that each
 * starts as soon as a slot is free, without a round trip to Temporal.
 */
const WAITING_PER_SLOT = 1;
/**
 * Maximum time in milliseconds that an activity waits for a slot, in one run. It is longer than the pauses of
 * `runInTurn`, so that the workflow runs the activity again at once. The next run may be in another worker.
 */
const MAX_WAIT_MS = 25_000;
/**
 * Number of activities that a worker runs beyond its slots and waiting list. They find no room in the list
 * and return at once. Temporal therefore always passes the tasks of a new payer on, so that these tasks can
 * wait here.
 */
const SPARE_ACTIVITIES = 4;

/**
 * Maximum number of activities that a worker runs at once for each of these queues, running, waiting and
 * refused.
 */
export const FETCH_ACTIVITIES_AT_ONCE = FETCHES_AT_ONCE * (1 + WAITING_PER_SLOT) + SPARE_ACTIVITIES;
export const MODEL_ACTIVITIES_AT_ONCE = MODEL_CALLS_AT_ONCE * (1 + WAITING_PER_SLOT) + SPARE_ACTIVITIES;

/**
 * Creates the queues of activities that call servers chosen by customers: downloads of websites, and calls of
 * models. All payers share the slots of each queue.
 */
export function createSharedQueues(): { fetches: PayerQueue; modelCalls: PayerQueue } {
  return { fetches: createQueue(FETCHES_AT_ONCE), modelCalls: createQueue(MODEL_CALLS_AT_ONCE) };
}

function createQueue(slots: number): PayerQueue {
  return new PayerQueue({ slots, maxWaiting: slots * WAITING_PER_SLOT, maxWaitMs: MAX_WAIT_MS });
}
