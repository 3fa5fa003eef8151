import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { AlertActivities } from '../../activities/alerts/alert.activities.ts';
import type { ReceiveTelegramInput } from '../shared/commands.ts';
import { detailsOf } from '../shared/format.ts';
import { taskQueuesOf } from '../shared/task-queues.ts';

const wakeSignal = defineSignal('wake');
const retryNowSignal = defineSignal('retryNow');

/** Reads who opens links to the bot, until nobody is expected any more. One reads at a time: its id is always the same. */
export async function receiveTelegram(input: ReceiveTelegramInput): Promise<'done'> {
  const wishes = { isWoken: false, mustRetry: false };
  setHandler(wakeSignal, () => void (wishes.isWoken = true), {
    description: 'Somebody else is expected to open a link.',
  });
  setHandler(retryNowSignal, () => void (wishes.mustRetry = true), {
    description: 'Read now instead of after the pause.',
  });
  const { readTelegram } = proxyActivities<AlertActivities>({
    startToCloseTimeout: '60s',
    heartbeatTimeout: '10s',
    taskQueue: taskQueuesOf(workflowInfo().taskQueue).messages,
    retry: { initialInterval: '2s', maximumInterval: '1m' },
    summary: 'Read the updates of the bot',
  });
  for (;;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof receiveTelegram>(input);
    wishes.isWoken = false;
    const { isAnyExpected, fault, waitMs } = await readTelegram();
    if (fault !== null) {
      const next = new Date(Date.now() + waitMs).toISOString();
      setCurrentDetails(detailsOf('misconfigured', [fault, `Next attempt at ${next}. Signals: retryNow.`]));
      await condition(() => wishes.mustRetry, waitMs);
      wishes.mustRetry = false;
    } else if (!isAnyExpected && !wishes.isWoken) {
      setCurrentDetails(detailsOf('done', ['Nobody is expected to open a link any more.']));
      return 'done';
    } else setCurrentDetails(detailsOf('reading', ['Somebody is expected to open a link.']));
  }
}
