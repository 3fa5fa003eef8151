import type { RetryPolicy } from '@temporalio/common';
import { ActivityCancellationType, type ActivityOptions } from '@temporalio/workflow';

/**
 * Options for activities that only use the database. Temporal retries such activities without a limit, so
 * that no row stays in an intermediate state.
 */
export const databaseActivity: ActivityOptions = {
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '10s' },
};

/** Options for activities that make an attempt to send something to an external service. */
export const sendingActivity = {
  startToCloseTimeout: '5m',
  heartbeatTimeout: '10s',
  // Wait for the end of the running attempt if the workflow is canceled, so that the attempt's outcome is
  // recorded.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} as const satisfies ActivityOptions;

/**
 * Retry policy for long activities. The attempts span some minutes, in case the database or all workers are
 * unavailable. The activities themselves limit the attempts to reach a failing source.
 */
export const patientRetry: RetryPolicy = {
  initialInterval: '1s',
  maximumInterval: '15s',
  maximumAttempts: 20,
};
