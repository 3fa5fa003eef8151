import { workflowInfo, type ActivityOptions } from '@temporalio/workflow';
import { taskQueuesOf } from '../../core/workflows/task-queues.ts';

/** For what asks the payment provider. It is tried until the provider is back, be that hours. */
export function providerActivity(summary: string): ActivityOptions {
  return {
    taskQueue: taskQueuesOf(workflowInfo().taskQueue).billing,
    startToCloseTimeout: '2m',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
    summary,
  };
}
