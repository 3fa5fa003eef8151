import type { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { toActivityFailure } from '../../activities/activity-failure.ts';
import type { Logger } from '../../core/logger.ts';
import { failureTypes } from '../../core/workflows/failures.ts';
import type { ActivityOutcome, WorkerMetrics } from '../worker-metrics.ts';

/**
 * Creates an interceptor that logs and measures every Temporal activity: its workflow, its duration and any
 * failure.
 */
export function createActivityInterceptor(
  log: Logger,
  metrics?: Pick<WorkerMetrics, 'recordActivity'>,
): (context: Context) => ActivityInterceptors {
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const logFields = {
          activity: info.activityType,
          workflowId: info.workflowExecution?.workflowId,
          runId: info.workflowExecution?.runId,
          attempt: info.attempt,
        };
        const startedAt = performance.now();
        const recordEnd = (outcome: ActivityOutcome): number => {
          const durationMs = Math.round(performance.now() - startedAt);
          metrics?.recordActivity(info.activityType, outcome, durationMs);
          return durationMs;
        };
        try {
          const result = await next(input);
          log.debug({ ...logFields, durationMs: recordEnd('done') }, 'activity completed');
          return result;
        } catch (error) {
          const failure = toActivityFailure(error, info.attempt);
          const outcome = failure instanceof CancelledFailure ? 'cancelled' : 'failed';
          const context = { ...logFields, durationMs: recordEnd(outcome), err: error };
          if (outcome === 'cancelled') log.info(context, 'activity canceled');
          else if ('type' in failure && failure.type === failureTypes.unexpected) {
            log.warn(context, 'activity failed unexpectedly');
          } else log[isBenignRetry(failure) ? 'debug' : 'info'](context, 'activity failed');
          throw failure;
        }
      },
    },
  });
}

/**
 * Returns whether a Temporal activity failed on purpose, so that Temporal retries it later. Such a failure is
 * not an error.
 */
function isBenignRetry(failure: Error): boolean {
  return (
    failure instanceof ApplicationFailure && failure.category === 'BENIGN' && failure.nonRetryable !== true
  );
}
