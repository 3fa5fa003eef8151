import { Alert } from '@mantine/core';
import type { AlertPolicy } from '../client/types.ts';
import { formatCount } from '../components/text/format-count.ts';
import { TimeText } from '../components/text/time-text.tsx';

/** Maximum messages a day that an alert policy without its own limit sends. */
export const MAX_PER_DAY = 2000;

/**
 * Explains why today's alerts were queued, and until when. Renders nothing if no alert was queued and no
 * limit is reached.
 */
export function QueuedAlerts({ policy }: { policy: AlertPolicy }) {
  const { sent_today: sent, held_today: held, day_resets_at: resetsAt, next_digest_at: summaryAt } = policy;
  if (policy.status === 'off') return null;
  const cap = policy.daily_cap ?? MAX_PER_DAY;
  const isCapped = sent >= cap;
  if (held === 0 && !isCapped) return null;
  if (held === 0)
    return (
      <Alert role="note" color="yellow">
        Daily limit of {formatCount(cap, 'message')} reached. Further alerts until <TimeText at={resetsAt} />{' '}
        are queued for a summary.
      </Alert>
    );
  return (
    <Alert role="note" color="yellow">
      {formatCount(held, 'alert')} queued:{' '}
      {isCapped
        ? `the daily limit of ${formatCount(cap, 'message')} is reached`
        : "the plan's message limit is reached"}
      .{' '}
      {summaryAt !== null && (
        <>
          They'll be in the summary on <TimeText at={summaryAt} />.{' '}
        </>
      )}
      The limit resets on <TimeText at={resetsAt} />
      {isCapped && cap < MAX_PER_DAY ? '. Raise the daily limit to send them now.' : '.'}
    </Alert>
  );
}
