import { useEffect, useState } from 'react';
import type { AlertEstimate } from '../client/types.ts';
import { useLoad } from '../state/use-load.ts';
import { useDebounced } from '../state/use-debounced.ts';
import { useSession } from '../session/session.tsx';
import { formatCount } from '../components/format-count.ts';
import { isCompleteDraft, toAlertRequest, type AlertDraft } from './alert-draft.ts';
import { describeAlertEvent } from './alert-words.ts';

const PAUSE_MS = 400;

const problems: Readonly<Record<string, string>> = {
  timezone: 'There is an estimate once the time zone is one.',
  daily_cap: 'There is an estimate once the messages of a day are a number from 1 to 2000.',
};

/** Shows how many messages a policy would send per month and what they cost, updated as the user types. */
export function Estimate({ draft }: { draft: AlertDraft }) {
  const { client } = useSession();
  // Leave out the label, which does not affect the estimate: typing in it then sends no requests.
  const wanted = useDebounced(JSON.stringify(toAlertRequest({ ...draft, label: '' })), PAUSE_MS);
  const { data, problem } = useLoad(
    (signal) => client.ask<AlertEstimate>('/api/alerts/estimate', JSON.parse(wanted), signal),
    [client, wanted],
  );
  const [shown, setShown] = useState<AlertEstimate | null>(null);
  useEffect(() => {
    if (data !== undefined) setShown(data);
  }, [data]);
  if (draft.intensity === 'off' || !isCompleteDraft(draft)) return null;
  const isOld = data === undefined;
  return (
    <section className="estimate stack" aria-label="Estimate" aria-busy={isOld && problem === null}>
      <div role="status">
        {problem !== null && (
          <p className="hint">{problems[problem.details[0]?.field ?? ''] ?? problem.message}</p>
        )}
        {problem === null && shown === null && <p className="hint">Estimating …</p>}
        {problem === null && shown !== null && <Volume estimate={shown} draft={draft} />}
      </div>
      {problem === null && shown !== null && shown.by_event.length > 0 && <ByEvent estimate={shown} />}
    </section>
  );
}

function Volume({ estimate, draft }: { estimate: AlertEstimate; draft: AlertDraft }) {
  const { observed_days: days, events, capped_days: capped } = estimate;
  return (
    <>
      <p>
        <strong>{describeVolume(estimate)}</strong>, {describeCost(estimate)}.
      </p>
      <p className="hint">
        {days === 0
          ? 'Nothing has happened here yet to estimate by.'
          : `By the last ${formatCount(days, 'day')}, in which there were ${formatCount(events, 'such event')}.`}
        {capped > 0 &&
          ` On ${formatCount(capped, 'day')} there would have been more than may go out in a day, and the rest been held.`}
        {draft.channel === 'whatsapp' &&
          estimate.unit_price_usd > 0 &&
          ' It may be less: for a day after the phone has written to Parley, messages cost nothing.'}
      </p>
    </>
  );
}

function describeVolume({ messages_per_month: messages, digests_per_month: digests }: AlertEstimate): string {
  const parts = [formatRounded(messages, 'message', 'messages')];
  if (digests > 0) parts.push(formatRounded(digests, 'summary', 'summaries'));
  return `About ${parts.join(' and ')} a month`;
}

/** Formats a rounded count; counts between 0 and 1 become "less than one". */
function formatRounded(count: number, noun: string, plural: string): string {
  return count > 0 && count < 1 ? `less than one ${noun}` : formatCount(Math.round(count), noun, plural);
}

function describeCost({ unit_price_usd: price, cost_usd: cost }: AlertEstimate): string {
  if (price === 0) return 'for which this server knows of no price';
  return `for about ${formatDollars(cost)}, at ${formatDollars(price)} each`;
}

function formatDollars(amount: number): string {
  const maximumFractionDigits = amount > 0 && amount < 0.1 ? 4 : 2;
  return amount.toLocaleString('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits });
}

function ByEvent({ estimate }: { estimate: AlertEstimate }) {
  return (
    <details>
      <summary>What there was</summary>
      <ul className="plain-list">
        {estimate.by_event.map(({ event, count }) => (
          <li key={event}>
            {count} × {describeAlertEvent(event)}
          </li>
        ))}
      </ul>
    </details>
  );
}
