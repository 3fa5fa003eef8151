import { Anchor, Button, Drawer, Group } from '@mantine/core';
import type { Webhook } from '../client/types.ts';
import { Facts } from '../components/lists/facts.tsx';
import { RelativeTime } from '../components/text/relative-time.tsx';
import { Status } from '../components/lists/status.tsx';
import { buildHref } from '../router.ts';
import type { EndpointStep } from './endpoint-actions.tsx';
import { healthWords } from './webhook-words.ts';

export interface EndpointDrawerProps {
  /** Webhook endpoint to show; undefined while the drawer is closed. */
  endpoint: Webhook | undefined;
  mayWrite: boolean;
  onStep(step: EndpointStep): void;
  onClose(): void;
}

export function EndpointDrawer({ endpoint, mayWrite, onStep, onClose }: EndpointDrawerProps) {
  return (
    <Drawer opened={endpoint !== undefined} onClose={onClose} position="right" size={480} title="Endpoint">
      {endpoint !== undefined && (
        <>
          <EndpointFacts endpoint={endpoint} />
          <Group mt="lg">
            {mayWrite && (
              <Button variant="default" onClick={() => onStep({ kind: 'edit', endpoint })}>
                Edit
              </Button>
            )}
            <Anchor href={buildHref(['webhooks', 'deliveries'], { webhook_id: endpoint.id })}>
              View deliveries
            </Anchor>
          </Group>
        </>
      )}
    </Drawer>
  );
}

function EndpointFacts({ endpoint }: { endpoint: Webhook }) {
  const [tone, name] = healthWords[endpoint.health];
  const { delivery_count: count, failure_count: failed } = endpoint;
  return (
    <Facts
      facts={[
        ['URL', endpoint.url],
        ['Description', endpoint.description],
        [
          'Status',
          <Status key="status" tone={tone}>
            {name}
          </Status>,
        ],
        ['Events', endpoint.events.join(', ')],
        ['Deliveries', failed === 0 ? count : `${count} (${failed} failed)`],
        ['Consecutive failures', endpoint.consecutive_failures || null],
        [
          'Last success',
          endpoint.last_success_at && <RelativeTime key="success" at={endpoint.last_success_at} />,
        ],
        [
          'Last failure',
          endpoint.last_failure_at && <RelativeTime key="failure" at={endpoint.last_failure_at} />,
        ],
        ['Last error', endpoint.last_error],
        ['Disabled', endpoint.disabled_at && <RelativeTime key="disabled" at={endpoint.disabled_at} />],
        ['Secret', endpoint.secret_hint && `Ends with ${endpoint.secret_hint}`],
      ]}
    />
  );
}
