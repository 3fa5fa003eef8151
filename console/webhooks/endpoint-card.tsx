import { useState } from 'preact/hooks';
import type { WebhookTest } from '../client/types.ts';
import { buildHref } from '../router.ts';
import { usePermission } from '../session/use-permission.ts';
import { Badge } from '../ui/badge.tsx';
import { Facts } from '../ui/facts.tsx';
import { TimeText } from '../ui/time-text.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import type { EndpointCardProps } from './endpoint-card-props.ts';

export function EndpointCard({ endpoint, events, onChange }: EndpointCardProps) {
  const mayWrite = usePermission()('webhooks:write', 'admin');
  const [test, setTest] = useState<WebhookTest | null>(null);
  return (
    <li class="card stack" data-id={endpoint.id}>
      <h2 class="address">
        {endpoint.url} <Badge state={endpoint.health} />
      </h2>
      {endpoint.description !== null && <p>{endpoint.description}</p>}
      <Facts
        facts={[
          ['Events', endpoint.events.join(', ')],
          ['Attempts', `${endpoint.delivery_count}, of which ${endpoint.failure_count} failed`],
          ['Failed in a row', endpoint.consecutive_failures || null],
          [
            'Last success',
            endpoint.last_success_at && <TimeText key="success" at={endpoint.last_success_at} />,
          ],
          [
            'Last failure',
            endpoint.last_failure_at && <TimeText key="failure" at={endpoint.last_failure_at} />,
          ],
          ['Last error', endpoint.last_error],
          ['Disabled', endpoint.disabled_at && <TimeText key="disabled" at={endpoint.disabled_at} />],
          ['Secret', endpoint.secret_hint && `ends with ${endpoint.secret_hint}`],
        ]}
      />
      {mayWrite && (
        <EndpointActions endpoint={endpoint} events={events} onChange={onChange} onTested={setTest} />
      )}
      {test !== null && <TestOutcome test={test} />}
    </li>
  );
}

function TestOutcome({ test }: { test: WebhookTest }) {
  return (
    <p class={test.ok ? 'notice' : 'problem'} role="status">
      {test.ok ? `The receiver answered ${test.status_code} after ${test.duration_ms} ms.` : test.error}{' '}
      <a href={buildHref(['webhooks', 'deliveries', test.delivery_id])}>See the delivery</a>
    </p>
  );
}
