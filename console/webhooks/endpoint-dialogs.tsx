import { Modal } from '@mantine/core';
import { useState } from 'react';
import { findChangedFields } from '../client/find-changed-fields.ts';
import { path } from '../client/paths.ts';
import type { EventDescriptor, RotatedSecret, Webhook, WebhookCreated } from '../client/types.ts';
import { ConfirmDialog } from '../components/dialogs/confirm-dialog.tsx';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { SecretDialog } from '../components/dialogs/secret-dialog.tsx';
import { useApi } from '../state/use-api.ts';
import { useSession } from '../session/session.tsx';
import { showConfirmation } from '../components/page/notices.ts';
import type { EndpointStep } from './endpoint-actions.tsx';
import { EndpointForm, type EndpointChanges } from './endpoint-form.tsx';
import { useReload } from '../state/use-reload.ts';

export interface EndpointDialogsProps {
  /** Change of a webhook endpoint whose dialog is open; null if no dialog is open. */
  step: EndpointStep | null;
  onClose(): void;
}

/** Dialogs that add, change and delete a webhook endpoint, and that show its signing secret once. */
export function EndpointDialogs({ step, onClose }: EndpointDialogsProps) {
  const { client, me } = useSession();
  const reloadUrl = useReload();
  const [secret, setSecret] = useState<string | null>(null);
  const reload = () => reloadUrl('/api/webhooks');
  const create = async (changes: EndpointChanges): Promise<void> => {
    setSecret((await client.post<WebhookCreated>('/api/webhooks', changes)).secret);
    onClose();
    await reload();
  };
  const update = async (endpoint: Webhook, edited: EndpointChanges): Promise<void> => {
    const url = path`/api/webhooks/${endpoint.id}`;
    const { events: chosen, ...changes } = findChangedFields(endpoint, edited);
    await client.patch<Webhook>(url, changes);
    if (chosen) await client.put<Webhook>(`${url}/events`, { events: chosen });
    showConfirmation('Changes saved');
    onClose();
    await reload();
  };
  const rotate = async ({ id }: Webhook): Promise<void> => {
    setSecret((await client.post<RotatedSecret>(path`/api/webhooks/${id}/rotate-secret`)).secret);
    await reload();
  };
  const remove = async ({ id }: Webhook): Promise<void> => {
    await client.delete(path`/api/webhooks/${id}`);
    showConfirmation('Endpoint deleted');
    await reload();
  };
  return (
    <>
      {step?.kind === 'add' && (
        <FormDialog
          title="Add endpoint"
          form={`new endpoint/${me.data?.organization?.id}`}
          endpoint={null}
          onSave={create}
          onClose={onClose}
        />
      )}
      {step?.kind === 'edit' && (
        <FormDialog
          title="Edit endpoint"
          form={path`/api/webhooks/${step.endpoint.id}`}
          endpoint={step.endpoint}
          onSave={(changes) => update(step.endpoint, changes)}
          onClose={onClose}
        />
      )}
      {step?.kind === 'rotate' && (
        <ConfirmDialog
          question="Rotate the signing secret?"
          consequence="The current secret stops working immediately. Update your receiver before new events arrive."
          action="Rotate secret"
          onConfirm={() => rotate(step.endpoint)}
          onClose={onClose}
        />
      )}
      {step?.kind === 'delete' && (
        <ConfirmDialog
          question="Delete this endpoint?"
          consequence="The endpoint stops receiving events, and its delivery log is deleted."
          action="Delete"
          onConfirm={() => remove(step.endpoint)}
          onClose={onClose}
        />
      )}
      {secret !== null && (
        <SecretDialog
          title="Signing secret"
          label="Secret"
          secret={secret}
          purpose="Use the secret to verify webhook signatures."
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}

interface FormDialogProps {
  title: string;
  /** Unique key under which the values of the endpoint's form are stored until the user saves or cancels. */
  form: string;
  endpoint: Webhook | null;
  onSave(changes: EndpointChanges): Promise<void>;
  onClose(): void;
}

function FormDialog({ title, form, endpoint, onSave, onClose }: FormDialogProps) {
  const events = useApi<EventDescriptor[]>('/api/webhooks/events');
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <LoadedView loaded={events}>
        {(all) => (
          <EndpointForm form={form} endpoint={endpoint} events={all} onSave={onSave} onCancel={onClose} />
        )}
      </LoadedView>
    </Modal>
  );
}
