import {
  condition,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { FlowActivities } from '../../activities/flows/flow.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { FlowWaitInput } from '../../core/workflows/commands.ts';
import { formatTimeAfter, limitTimerMs } from '../../core/workflows/format.ts';

/** Signal that the visitor has answered the flow's question, or that the flow has ended. */
const answeredSignal = defineSignal('answered');

const { expireFlowWait } = proxyActivities<FlowActivities>({
  ...databaseActivity,
  summary: 'Continue the flow if it still waits for the visitor',
});

/**
 * Waits until the visitor answers a question of a conversation flow. After the time limit, lets the flow
 * continue without an answer.
 */
export async function flowWait(input: FlowWaitInput): Promise<'answered' | 'expired' | 'over'> {
  let isAnswered = false;
  setHandler(answeredSignal, () => {
    isAnswered = true;
  });
  const expiry = formatTimeAfter(input.waitMs);
  setCurrentDetails(`Waiting for the visitor's answer until ${expiry}.`);
  if (await condition(() => isAnswered, limitTimerMs(input.waitMs))) {
    setCurrentDetails('The visitor has answered.');
    return 'answered';
  }
  const isExpired = await expireFlowWait(input);
  setCurrentDetails(
    isExpired
      ? 'The time-out has expired, and the flow continues.'
      : 'The flow had continued before the time-out.',
  );
  return isExpired ? 'expired' : 'over';
}
