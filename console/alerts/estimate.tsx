import { List, Text } from '@mantine/core';
import type { AlertEstimate } from '../client/types.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { useDebounced } from '../state/use-debounced.ts';
import { useSession } from '../session/session.tsx';
import { Details } from '../components/page/details.tsx';
import { formatCount } from '../components/text/format-count.ts';
import { isCompleteDraft, toAlertRequest, type AlertDraft } from './alert-draft.ts';
import { describeAlertEvent } from './alert-words.ts';

const PAUSE_MS = 400;

const problems: Readonly<Record<string, string>> = {
  timezone: 'Choose a valid time zone to see an estimate.',
  daily_cap: 'Enter a limit from 1 to 2000 to see an estimate.',
};

/**
 * Shows how many messages an alert policy would send per month and what they cost, updated as the user types.
 */
export function Estimate({ draft }: { draft: AlertDraft }) {
  const { client } = useSession();
  // Omit the policy's label, which does not affect the estimate, so that typing in the label sends no
  // requests.
  const policyJson = useDebounced(JSON.stringify(toAlertRequest({ ...draft, label: '' })), PAUSE_MS);
  const {
    data: shown,
    problem,
    isPrevious,
  } = useLoaded(
    ['/api/alerts/estimate', policyJson],
    (signal) => client.ask<AlertEstimate>('/api/alerts/estimate', JSON.parse(policyJson), signal),
    { keepsPrevious: true },
  );
  if (draft.intensity === 'off' || !isCompleteDraft(draft)) return null;
  return (
    <section
      className="estimate"
      aria-label="Estimate"
      aria-busy={(isPrevious || shown === undefined) && problem === null}
    >
      <div role="status">
        {problem !== null && (
          <p className="hint">{problems[problem.details[0]?.field ?? ''] ?? problem.message}</p>
        )}
        {problem === null && shown === undefined && <p className="hint">Estimating…</p>}
        {problem === null && shown !== undefined && <Volume estimate={shown} draft={draft} />}
      </div>
      {problem === null && shown !== undefined && shown.by_event.length > 0 && <ByEvent estimate={shown} />}
    </section>
  );
}

function Volume({ estimate, draft }: { estimate: AlertEstimate; draft: AlertDraft }) {
  const { observed_days: days, events, capped_days: capped } = estimate;
  return (
    <>
      <Text>
        <strong>{describeVolume(estimate)}</strong>, {describeCost(estimate)}.
      </Text>
      <p className="hint">
        {days === 0
          ? 'There is no activity yet on which to base an estimate.'
          : `Based on ${formatCount(events, 'event')} in the last ${formatCount(days, 'day')}.`}
        {capped > 0 &&
          ` On ${formatCount(capped, 'day')}, alerts over the daily limit would have been queued.`}
        {draft.channel === 'whatsapp' &&
          estimate.unit_price_usd > 0 &&
          ' It may cost less: messages are free for 24 hours after the recipient messages Parley.'}
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
  if (price === 0) return 'cost unknown';
  return `for about ${formatDollars(cost)}, at ${formatDollars(price)} each`;
}

function formatDollars(amount: number): string {
  const maximumFractionDigits = amount > 0 && amount < 0.1 ? 4 : 2;
  return amount.toLocaleString('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits });
}

function ByEvent({ estimate }: { estimate: AlertEstimate }) {
  return (
    <Details title="Events in this period">
      <List size="sm">
        {estimate.by_event.map(({ event, count }) => (
          <List.Item key={event}>
            {count} × {describeAlertEvent(event)}
          </List.Item>
        ))}
      </List>
    </Details>
  );
}
