import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { AlertActivities } from '../../activities/alerts/alert.activities.ts';
import { limitWaitMs, MAX_REQUESTED_WAIT_MS } from '../../core/concurrency/backoff.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { AlertView, type AlertEnd } from '../shared/alert-view.ts';
import type { SendAlertInput } from '../../core/workflows/commands.ts';
import { formatTimeAfter, limitTimerMs } from '../../core/workflows/format.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';

const wakeSignal = defineSignal('wake');
const retryNowSignal = defineSignal('retryNow');
const giveUpSignal = defineSignal('giveUp');
const pauseSignal = defineSignal('pause');

const { nextAlertStep, giveUpMessage } = proxyActivities<AlertActivities>(databaseActivity);
const { purgeAlerts } = proxyActivities<AlertActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/**
 * Maximum pause in milliseconds between attempts to send an alert. It is one minute longer than the longest
 * pause that a provider may request.
 */
const MAX_ATTEMPT_PAUSE_MS = MAX_REQUESTED_WAIT_MS + 60_000;

type AttemptResult = Awaited<ReturnType<AlertActivities['sendMessage']>>;

/** Sends the pending alerts of an alert policy one after the other, and ends when none are pending. */
export async function sendAlert(input: SendAlertInput): Promise<AlertEnd> {
  const signals = new OperatorSignals();
  const view = new AlertView();
  for (;;) {
    await pauseWhileRequested(signals, view);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof sendAlert>(input);
    signals.isWoken = false;
    const next = await nextAlertStep({ ...input, except: null });
    if (next.step === 'gone') {
      await purgeAlerts(input);
      return view.end('deleted', 'The policy and its log were deleted.');
    }
    if (next.step === 'rest') {
      if (signals.isWoken) continue;
      return view.end('idle', next.note ?? 'All alerts are sent.');
    }
    if (next.step === 'wait') {
      view.enter(
        'waiting',
        `${next.count} alerts wait until ${formatTimeAfter(next.waitMs)} to be sent in one message.`,
      );
      await condition(
        () => signals.isWoken || signals.mustRetry || signals.isPaused,
        limitTimerMs(next.waitMs),
      );
      signals.mustRetry = false;
      continue;
    }
    await runUntilResolved(input, next.messageId, signals, view);
  }
}

/**
 * Attempts to send an alert message until a provider accepts it or the attempts end. Between attempts, sends
 * verification codes and tests, because people wait for them.
 */
async function runUntilResolved(
  input: SendAlertInput,
  messageId: string,
  signals: OperatorSignals,
  view: AlertView,
): Promise<void> {
  const { sendMessage } = proxySendMessage();
  // Clear a signal to give up that was meant for the previous message.
  signals.mustGiveUp = false;
  let attempted: AttemptResult = await sendMessage({ ...input, messageId });
  for (;;) {
    view.note(attempted);
    if (attempted.state === 'over') return;
    if (signals.mustGiveUp) {
      signals.mustGiveUp = false;
      attempted = await giveUpMessage({ ...input, messageId });
      continue;
    }
    const waitMs = limitWaitMs(attempted.waitMs, MAX_ATTEMPT_PAUSE_MS);
    view.enter(
      attempted.state === 'misconfigured' ? 'misconfigured' : 'retrying',
      `Next attempt at ${formatTimeAfter(waitMs)}.`,
    );
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline && !signals.isEnding) {
      await condition(() => signals.isWoken || signals.isEnding, deadline - Date.now());
      if (signals.isWoken) await sendOtherMessages(input, messageId, signals, view);
    }
    await pauseWhileRequested(signals, view);
    signals.mustRetry = false;
    if (!signals.mustGiveUp) attempted = await sendMessage({ ...input, messageId });
  }
}

async function sendOtherMessages(
  input: SendAlertInput,
  except: string,
  signals: OperatorSignals,
  view: AlertView,
): Promise<void> {
  const { sendMessage } = proxySendMessage();
  signals.isWoken = false;
  for (;;) {
    const next = await nextAlertStep({ ...input, except });
    if (next.step !== 'send') return;
    view.note(await sendMessage({ ...input, messageId: next.messageId }));
  }
}

async function pauseWhileRequested(signals: OperatorSignals, view: AlertView): Promise<void> {
  if (!signals.isPaused) return;
  view.enter('paused', 'Paused by an operator. The signal retryNow resumes it.');
  await condition(() => !signals.isPaused);
}

function proxySendMessage(): Pick<AlertActivities, 'sendMessage'> {
  return proxyActivities<AlertActivities>({
    startToCloseTimeout: '20s',
    heartbeatTimeout: '10s',
    taskQueue: nameTaskQueues(workflowInfo().taskQueue).messages,
    retry: { initialInterval: '1s', maximumInterval: '30s' },
    summary: 'Send a message to the messaging app, and store the result',
  });
}

/** Signals that operators and the API have sent to the workflow of an alert policy. */
class OperatorSignals {
  isWoken = false;
  isPaused = false;
  mustRetry = false;
  mustGiveUp = false;

  constructor() {
    setHandler(wakeSignal, () => void (this.isWoken = true), {
      description: 'Check for messages to send.',
    });
    setHandler(
      retryNowSignal,
      () => {
        this.isPaused = false;
        this.mustRetry = true;
      },
      { description: 'Attempt now instead of when it is due; resume after a pause.' },
    );
    setHandler(giveUpSignal, () => void (this.mustGiveUp = true), {
      description: 'Cancel the current message.',
    });
    setHandler(pauseSignal, () => void (this.isPaused = true), {
      description: 'Send nothing until retryNow.',
    });
  }

  get isEnding(): boolean {
    return this.mustRetry || this.mustGiveUp || this.isPaused;
  }
}
