import type { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { toActivityFailure } from '../../activities/activity-failure.ts';
import type { Logger } from '../../core/logger.ts';
import { failureTypes } from '../../core/workflows/failures.ts';
import type { ActivityOutcome, WorkerMetrics } from '../worker-metrics.ts';

/** Logs and measures every activity: its workflow, duration and failure. */
export function activityInterceptor(
  log: Logger,
  metrics?: Pick<WorkerMetrics, 'activityEnded'>,
): (context: Context) => ActivityInterceptors {
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const about = {
          activity: info.activityType,
          workflowId: info.workflowExecution?.workflowId,
          runId: info.workflowExecution?.runId,
          attempt: info.attempt,
        };
        const startedAt = performance.now();
        const ended = (outcome: ActivityOutcome): number => {
          const durationMs = Math.round(performance.now() - startedAt);
          metrics?.activityEnded(info.activityType, outcome, durationMs);
          return durationMs;
        };
        try {
          const result = await next(input);
          log.debug({ ...about, durationMs: ended('done') }, 'activity done');
          return result;
        } catch (error) {
          const failure = toActivityFailure(error, info.attempt);
          const outcome = failure instanceof CancelledFailure ? 'cancelled' : 'failed';
          const context = { ...about, durationMs: ended(outcome), err: error };
          if (outcome === 'cancelled') log.info(context, 'activity cancelled');
          else if ('type' in failure && failure.type === failureTypes.unexpected) {
            log.warn(context, 'activity failed unexpectedly');
          } else log[isWaiting(failure) ? 'debug' : 'info'](context, 'activity failed');
          throw failure;
        }
      },
    },
  });
}

/** Returns whether the failure only announces a retry, so that nothing is wrong. */
function isWaiting(failure: Error): boolean {
  return (
    failure instanceof ApplicationFailure && failure.category === 'BENIGN' && failure.nonRetryable !== true
  );
}
