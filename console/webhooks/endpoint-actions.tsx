import { Menu } from '@mantine/core';
import { path } from '../client/paths.ts';
import type { Webhook, WebhookTest } from '../client/types.ts';
import { RowMenu } from '../components/dialogs/row-menu.tsx';
import { useAction } from '../state/use-action.ts';
import { buildHref } from '../router.ts';
import { IconEdit, IconList, IconPower, IconRefresh, IconSend, IconTrash } from '../shell/icons.ts';
import { useSession } from '../session/session.tsx';
import { showConfirmation, showError } from '../components/page/notices.ts';
import { useReload } from '../state/use-reload.ts';

/** A change of a webhook endpoint for which the console opens a dialog. */
export type EndpointStep = { kind: 'add' } | { kind: 'edit' | 'rotate' | 'delete'; endpoint: Webhook };

export interface EndpointActionsProps {
  endpoint: Webhook;
  onStep(step: EndpointStep): void;
  onTested(test: WebhookTest): void;
}

/** Menu with the actions of a webhook endpoint. */
export function EndpointActions({ endpoint, onStep, onTested }: EndpointActionsProps) {
  const { client } = useSession();
  const reloadUrl = useReload();
  const url = path`/api/webhooks/${endpoint.id}`;
  const reload = () => reloadUrl('/api/webhooks');
  const report = ({ message }: { message: string }): void => showError(message);
  const test = useAction(async () => {
    onTested(await client.post<WebhookTest>(`${url}/test`));
    await reload();
  }, report);
  const toggle = useAction(async () => {
    await client.patch<Webhook>(url, { is_active: !endpoint.is_active });
    await reload();
    showConfirmation(endpoint.is_active ? 'Endpoint disabled' : 'Endpoint enabled');
  }, report);
  return (
    <RowMenu about={endpoint.url}>
      <Menu.Item leftSection={<IconSend />} onClick={() => test.run()}>
        Send test event
      </Menu.Item>
      <Menu.Item
        component="a"
        href={buildHref(['webhooks', 'deliveries'], { webhook_id: endpoint.id })}
        leftSection={<IconList />}
      >
        View deliveries
      </Menu.Item>
      <Menu.Item leftSection={<IconEdit />} onClick={() => onStep({ kind: 'edit', endpoint })}>
        Edit
      </Menu.Item>
      <Menu.Item leftSection={<IconPower />} onClick={() => toggle.run()}>
        {endpoint.is_active ? 'Disable' : 'Enable'}
      </Menu.Item>
      <Menu.Item leftSection={<IconRefresh />} onClick={() => onStep({ kind: 'rotate', endpoint })}>
        Rotate secret
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        className="danger-item"
        leftSection={<IconTrash />}
        onClick={() => onStep({ kind: 'delete', endpoint })}
      >
        Delete
      </Menu.Item>
    </RowMenu>
  );
}
