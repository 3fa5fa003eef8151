import { Text } from '@mantine/core';
import type { Delivery } from '../client/types.ts';
import { RelativeTime } from '../components/text/relative-time.tsx';
import { Status } from '../components/lists/status.tsx';

/** Lists the attempts to send a webhook delivery, with their results. */
export function AttemptList({ attempts }: { attempts: Delivery['attempt_log'] }) {
  if (attempts.length === 0) return <Text c="dimmed">No attempts yet</Text>;
  return (
    <ol className="attempts">
      {attempts.map(({ number, at, outcome, reason, response_status: status, duration_ms: duration }) => (
        <li key={number}>
          <span className="attempt-number">{number}</span>
          <Status tone={outcome === 'delivered' ? 'good' : 'bad'}>
            {outcome === 'delivered' ? 'Delivered' : 'Failed'}
          </Status>
          <span className="attempt-facts">
            {[status, duration === null ? null : `${duration} ms`]
              .filter((fact) => fact !== null)
              .join(' · ')}
          </span>
          <RelativeTime at={at} />
          {reason !== null && <p className="cell-note">{reason}</p>}
        </li>
      ))}
    </ol>
  );
}
