import {
  CancellationScope,
  condition,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { MailActivities } from '../../activities/mail/mail.activities.ts';
import { databaseActivity, sendingActivity } from '../shared/activity-options.ts';
import type { SendEmailInput } from '../../core/workflows/commands.ts';
import { formatDetails, formatTimeAfter, limitTimerMs } from '../../core/workflows/format.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';

type Progress = Awaited<ReturnType<MailActivities['attemptMail']>>;
export type MailEnd = Exclude<Progress['state'], 'pending'>;

const meanings: Record<MailEnd, string> = {
  sent: 'The mail server accepted the email.',
  kept: 'No mail server is configured; /dev/mail shows the email.',
  suppressed: 'The email was suppressed.',
  withdrawn: 'The email was canceled: its link or code has expired, or its recipient or subject was deleted.',
  refused: 'The mail server refused the email permanently.',
  failed: 'All attempts failed.',
  gone: 'The email was purged because of its age.',
};

const retryNowSignal = defineSignal('retryNow');
const giveUpSignal = defineSignal('giveUp');

const { giveUpMail } = proxyActivities<MailActivities>(databaseActivity);

/**
 * Sends a queued email. Retries on a fixed schedule until the mail server accepts or rejects it, or the email
 * would be useless.
 */
export async function sendEmail(input: SendEmailInput): Promise<MailEnd> {
  const signals = { mustRetry: false, mustGiveUp: false };
  setHandler(retryNowSignal, () => void (signals.mustRetry = true), {
    description: 'Attempt now instead of when it is due.',
  });
  setHandler(giveUpSignal, () => void (signals.mustGiveUp = true), {
    description: 'Cancel the email.',
  });
  const history: string[] = [];
  const { attemptMail } = attemptActivity();
  try {
    for (;;) {
      signals.mustRetry = false;
      const progress = await (signals.mustGiveUp ? giveUpMail(input) : attemptMail(input));
      showMailDetails(progress, history);
      if (progress.state !== 'pending') return progress.state;
      await condition(() => signals.mustRetry || signals.mustGiveUp, limitTimerMs(progress.waitMs));
    }
  } catch (error) {
    if (isCancellation(error))
      showMailDetails(await CancellationScope.nonCancellable(() => giveUpMail(input)), history);
    throw error;
  }
}

function attemptActivity(): Pick<MailActivities, 'attemptMail'> {
  return proxyActivities<MailActivities>({
    ...sendingActivity,
    taskQueue: nameTaskQueues(workflowInfo().taskQueue).mail,
    retry: { initialInterval: '1s', maximumInterval: '30s' },
    summary: 'Send the email to the mail server, and store the response',
  });
}

function showMailDetails({ state, attempts, reason, waitMs }: Progress, history: string[]): void {
  if (reason !== null)
    history.unshift(`${new Date().toISOString()} ${attempts === 0 ? '' : `attempt ${attempts}: `}${reason}`);
  const next =
    state === 'pending'
      ? `Next attempt at ${formatTimeAfter(waitMs)}. Signals: retryNow, giveUp.`
      : meanings[state];
  const shownState = state === 'pending' ? 'waiting' : state;
  upsertSearchAttributes([{ key: searchAttributes.mailState, value: shownState }]);
  setCurrentDetails(formatDetails(shownState, [next, ...history]));
}
