import type { RetryPolicy } from '@temporalio/common';
import { ActivityCancellationType, type ActivityOptions } from '@temporalio/workflow';

/** For what only asks the database: tried until it works, since a document must not stay between two states. */
export const databaseActivity: ActivityOptions = {
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '10s' },
};

/** For attempts at handing something to somebody outside. */
export const sendingActivity = {
  startToCloseTimeout: '5m',
  heartbeatTimeout: '10s',
  // Whoever gives it up must not do so while it is being sent.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} as const satisfies ActivityOptions;

/**
 * For long work: outlasts some minutes without our own database or workers. How often a source that fails is asked is
 * up to the activities.
 */
export const patientRetry: RetryPolicy = {
  initialInterval: '1s',
  maximumInterval: '15s',
  maximumAttempts: 20,
};
