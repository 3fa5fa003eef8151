import { workflowInfo, type ActivityOptions } from '@temporalio/workflow';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';

/**
 * Returns the options of activities that call the payment provider. Temporal retries such calls until the
 * provider is back, even for hours.
 */
export function providerActivity(summary: string): ActivityOptions {
  return {
    taskQueue: nameTaskQueues(workflowInfo().taskQueue).billing,
    startToCloseTimeout: '2m',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
    summary,
  };
}
