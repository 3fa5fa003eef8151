import type { RetryPolicy } from '@temporalio/common';
import { ActivityCancellationType, type ActivityOptions } from '@temporalio/workflow';

/**
 * Options for activities that only use the database: retried until they succeed, since no document may stay between two
 * states.
 */
export const databaseActivity: ActivityOptions = {
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '10s' },
};

/** Options for attempts to send something to an external service. */
export const sendingActivity = {
  startToCloseTimeout: '5m',
  heartbeatTimeout: '10s',
  // A cancellation waits until the attempt in progress has ended.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} as const satisfies ActivityOptions;

/**
 * Retry policy for long work: outlasts some minutes without database or workers. The activities limit attempts at a
 * failing source.
 */
export const patientRetry: RetryPolicy = {
  initialInterval: '1s',
  maximumInterval: '15s',
  maximumAttempts: 20,
};
