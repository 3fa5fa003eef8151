import {
  condition,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { DigestActivities } from '../../activities/alerts/digest.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { SendDigestInput } from '../../core/workflows/commands.ts';
import { formatDetails, formatTimeAfter } from '../../core/workflows/format.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';

type Progress = Awaited<ReturnType<DigestActivities['makeDigest']>>;
export type DigestEnd = Progress['state'];

const FIRST_PAUSE_MS = 2000;
const MAX_PAUSE_MS = 300_000;
const GIVES_UP_AFTER_MS = 72 * 3_600_000;

const meanings: Record<DigestEnd, string> = {
  sent: 'Queued. The workflow alert/<policy> sends it.',
  empty: 'Nothing was sent.',
  late: 'Nothing was sent.',
  skipped: 'Nothing was sent.',
  unsent: 'Nothing was sent.',
  gone: 'Nothing was sent.',
};

const retryNowSignal = defineSignal('retryNow');
const skipSignal = defineSignal('skip');

const { makeDigest } = proxyActivities<DigestActivities>({
  startToCloseTimeout: '20s',
  retry: { maximumAttempts: 1 },
  summary: 'Compose the digest, and queue the message',
});
const { skipDigest } = proxyActivities<DigestActivities>(databaseActivity);

/**
 * Sends an alert policy's digest (summary of events) for one day in its time zone. The digest contains the
 * events since the last digest and the alerts that were held back.
 */
export async function sendDigest(input: SendDigestInput): Promise<DigestEnd> {
  const signals = { mustRetry: false, mustSkip: false };
  setHandler(retryNowSignal, () => void (signals.mustRetry = true), {
    description: 'Retry now instead of when it is due.',
  });
  setHandler(skipSignal, () => void (signals.mustSkip = true), {
    description: 'Send no digest for this day; the next one covers its events.',
  });
  upsertSearchAttributes([{ key: searchAttributes.policyId, value: input.policyId }]);
  const beganAt = Date.now();
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    signals.mustRetry = false;
    try {
      const progress = await (signals.mustSkip ? skipDigest(input) : makeDigest(input));
      showDigestDetails(progress.state, formatDigestLines(progress));
      return progress.state;
    } catch (error) {
      if (isCancellation(error) || Date.now() - beganAt > GIVES_UP_AFTER_MS) throw error;
    }
    showDigestDetails('waiting', [
      `The digest could not be composed. Next attempt at ${formatTimeAfter(pauseMs)}. Signals: retryNow, skip.`,
    ]);
    await condition(() => signals.mustRetry || signals.mustSkip, pauseMs);
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
  }
}

function formatDigestLines({ state, reason, from, to, tellsOf }: Progress): string[] {
  return [
    meanings[state],
    ...(reason === null ? [] : [reason]),
    ...(from === null || to === null ? [] : [`Covers ${from} to ${to}`]),
    ...tellsOf,
  ];
}

function showDigestDetails(state: DigestEnd | 'waiting', lines: string[]): void {
  upsertSearchAttributes([{ key: searchAttributes.alertState, value: [state] }]);
  setCurrentDetails(formatDetails(state, lines));
}
