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
import type { ReceiveTelegramInput } from '../../core/workflows/commands.ts';
import { backoffMs, limitWaitMs, MAX_REQUESTED_WAIT_MS } from '../../core/concurrency/backoff.ts';
import { formatDetails, formatTimeAfter } from '../../core/workflows/format.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';

const wakeSignal = defineSignal('wake');
const retryNowSignal = defineSignal('retryNow');

const MIN_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 5 * 60_000;

/**
 * Reads the updates of Parley's Telegram bot while people are expected to open links to the bot. The workflow
 * id is constant, so that only one workflow reads the updates.
 */
export async function receiveTelegram(input: ReceiveTelegramInput): Promise<'done'> {
  const signals = { isWoken: false, mustRetry: false };
  setHandler(wakeSignal, () => void (signals.isWoken = true), {
    description: 'Another link is pending.',
  });
  setHandler(retryNowSignal, () => void (signals.mustRetry = true), {
    description: 'Read now instead of after the pause.',
  });
  const { readTelegram } = proxyActivities<AlertActivities>({
    startToCloseTimeout: '60s',
    heartbeatTimeout: '10s',
    taskQueue: nameTaskQueues(workflowInfo().taskQueue).messages,
    retry: { initialInterval: '2s', maximumInterval: '1m' },
    summary: 'Read the updates of the bot',
  });
  let faults = 0;
  for (;;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof receiveTelegram>(input);
    signals.isWoken = false;
    const { isAnyExpected, fault, isMisconfigured, waitMs } = await readTelegram();
    faults = fault === null ? 0 : faults + 1;
    if (fault !== null) {
      const firstMs = Math.max(MIN_PAUSE_MS, limitWaitMs(waitMs, MAX_REQUESTED_WAIT_MS));
      const pauseMs = Math.max(firstMs, backoffMs(faults - 1, { firstMs, maxMs: MAX_PAUSE_MS }));
      const lines = [
        fault,
        `Failed attempts: ${faults}.`,
        `Next attempt at ${formatTimeAfter(pauseMs)}. Signals: retryNow.`,
      ];
      setCurrentDetails(formatDetails(isMisconfigured ? 'misconfigured' : 'retrying', lines));
      // End the pause early if another person is expected: that person must not wait for a pause that began
      // before.
      await condition(() => signals.mustRetry || signals.isWoken, pauseMs);
      signals.mustRetry = false;
    } else if (!isAnyExpected && !signals.isWoken) {
      setCurrentDetails(formatDetails('done', ['No link is pending.']));
      return 'done';
    } else setCurrentDetails(formatDetails('reading', ['A link is pending.']));
  }
}
