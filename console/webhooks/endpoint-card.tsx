import { useState } from 'preact/hooks';
import { path } from '../client/paths.ts';
import type { EventDescriptor, RotatedSecret, Webhook, WebhookTest } from '../client/types.ts';
import type { Loaded } from '../hooks/use-load.ts';
import { hrefOf } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { ActionButton } from '../ui/action-button.tsx';
import { Badge } from '../ui/badge.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Facts } from '../ui/facts.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { tell } from '../ui/notices.tsx';
import { TimeText } from '../ui/time-text.tsx';
import { EndpointForm, type EndpointChanges } from './endpoint-form.tsx';
import { SecretDialog } from './secret-dialog.tsx';

export interface EndpointCardProps {
  endpoint: Webhook;
  events: Loaded<EventDescriptor[]>;
  onChange(): void;
}

export function EndpointCard({ endpoint, events, onChange }: EndpointCardProps) {
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
      <EndpointActions endpoint={endpoint} events={events} onChange={onChange} onTested={setTest} />
      {test !== null && <TestOutcome test={test} />}
    </li>
  );
}

interface EndpointActionsProps extends EndpointCardProps {
  onTested(test: WebhookTest): void;
}

function EndpointActions({ endpoint, events, onChange, onTested }: EndpointActionsProps) {
  const { client } = useSession();
  const url = path`/api/webhooks/${endpoint.id}`;
  const [isEditing, setEditing] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const save = async ({ events: wanted, ...changes }: EndpointChanges): Promise<void> => {
    await client.patch<Webhook>(url, changes);
    await client.put<Webhook>(`${url}/events`, { events: wanted });
    setEditing(false);
    tell('The endpoint is saved.');
    onChange();
  };
  return (
    <div class="row">
      <ActionButton
        onAction={async () => {
          onTested(await client.post<WebhookTest>(`${url}/test`));
          onChange();
        }}
      >
        Send a test
      </ActionButton>
      <a class="button" href={hrefOf(['webhooks', 'deliveries'], { webhook_id: endpoint.id })}>
        Deliveries
      </a>
      <button type="button" onClick={() => setEditing(true)}>
        Edit
      </button>
      <ActionButton
        onAction={async () => {
          await client.patch<Webhook>(url, { is_active: !endpoint.is_active });
          onChange();
        }}
      >
        {endpoint.is_active ? 'Disable' : 'Enable'}
      </ActionButton>
      <ConfirmButton
        question="Replace the signing secret?"
        consequence="The present one stops at once: until the receiver knows the new one, it will refuse what is sent."
        onConfirm={async () => {
          setSecret((await client.post<RotatedSecret>(`${url}/rotate-secret`)).secret);
          onChange();
        }}
      >
        Rotate the secret
      </ConfirmButton>
      <ConfirmButton
        question="Delete this endpoint?"
        consequence="Nothing is sent to it any more, and its deliveries leave the log."
        onConfirm={async () => {
          await client.delete(url);
          tell('The endpoint is deleted.');
          onChange();
        }}
      >
        Delete
      </ConfirmButton>
      {isEditing && (
        <Dialog title="Edit the endpoint" onClose={() => setEditing(false)}>
          <LoadedView of={events}>
            {(known) => (
              <EndpointForm
                endpoint={endpoint}
                events={known}
                onSave={save}
                onCancel={() => setEditing(false)}
              />
            )}
          </LoadedView>
        </Dialog>
      )}
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </div>
  );
}

function TestOutcome({ test }: { test: WebhookTest }) {
  return (
    <p class={test.ok ? 'notice' : 'problem'} role="status">
      {test.ok ? `The receiver answered ${test.status_code} after ${test.duration_ms} ms.` : test.error}{' '}
      <a href={hrefOf(['webhooks', 'deliveries', test.delivery_id])}>See the delivery</a>
    </p>
  );
}
