import type { AlertPolicy } from '../client/types.ts';
import { formatCount } from '../components/format-count.ts';
import { TimeText } from '../components/time-text.tsx';

/** Maximum messages a day of a policy without a limit. */
export const MAX_PER_DAY = 2000;

/**
 * Explains why today's alerts were held back, and until when. Renders nothing if none was held and no limit
 * is reached.
 */
export function HeldAlerts({ policy }: { policy: AlertPolicy }) {
  const { sent_today: sent, held_today: held, day_resets_at: resetsAt, next_digest_at: summaryAt } = policy;
  if (policy.status === 'off') return null;
  const cap = policy.daily_cap ?? MAX_PER_DAY;
  const isCapped = sent >= cap;
  if (held === 0) return isCapped ? <LimitReached cap={cap} resetsAt={resetsAt} /> : null;
  const reason = isCapped
    ? `the ${formatCount(cap, 'message')} of the day have gone out`
    : 'the workspace has used up what its plan allows';
  return (
    <p className="reason">
      {formatCount(held, 'alert')} of today {held === 1 ? 'was' : 'were'} held, because {reason}.{' '}
      {summaryAt !== null && (
        <>
          What is still held comes in the summary of <TimeText at={summaryAt} />.{' '}
        </>
      )}
      The next day begins on <TimeText at={resetsAt} />
      {isCapped && cap < MAX_PER_DAY ? '; a higher cap sends what is held at once.' : '.'}
    </p>
  );
}

function LimitReached({ cap, resetsAt }: { cap: number; resetsAt: string }) {
  return (
    <p className="reason">
      The {formatCount(cap, 'message')} of the day have gone out. What else happens until{' '}
      <TimeText at={resetsAt} /> is held for a summary.
    </p>
  );
}
