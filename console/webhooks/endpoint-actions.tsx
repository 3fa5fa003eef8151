import { path } from '../client/paths.ts';
import type { Webhook, WebhookTest } from '../client/types.ts';
import { buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { ActionButton } from '../ui/action-button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { showConfirmation } from '../ui/notices.tsx';
import { EditEndpoint } from './edit-endpoint.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import type { EndpointCardProps } from './endpoint-card-props.ts';

export interface EndpointActionsProps extends EndpointCardProps {
  onTested(test: WebhookTest): void;
}

export function EndpointActions({ endpoint, events, onChange, onTested }: EndpointActionsProps) {
  const { client } = useSession();
  const url = path`/api/webhooks/${endpoint.id}`;
  const test = async (): Promise<void> => {
    onTested(await client.post<WebhookTest>(`${url}/test`));
    onChange();
  };
  const toggle = async (): Promise<void> => {
    await client.patch<Webhook>(url, { is_active: !endpoint.is_active });
    onChange();
  };
  const deleteEndpoint = async (): Promise<void> => {
    await client.delete(url);
    showConfirmation('The endpoint is deleted.');
    onChange();
  };
  return (
    <div class="row">
      <ActionButton onAction={test}>Send a test</ActionButton>
      <a class="button" href={buildHref(['webhooks', 'deliveries'], { webhook_id: endpoint.id })}>
        Deliveries
      </a>
      <EditEndpoint endpoint={endpoint} events={events} onChange={onChange} />
      <ActionButton onAction={toggle}>{endpoint.is_active ? 'Disable' : 'Enable'}</ActionButton>
      <RotateSecret webhookId={endpoint.id} onChange={onChange} />
      <ConfirmButton
        question="Delete this endpoint?"
        consequence="Nothing is sent to it any more, and its deliveries leave the log."
        onConfirm={deleteEndpoint}
      >
        Delete
      </ConfirmButton>
    </div>
  );
}
