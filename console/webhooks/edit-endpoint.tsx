import { findChangedFields } from '../client/find-changed-fields.ts';
import { path } from '../client/paths.ts';
import type { Webhook } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { DialogButton } from '../ui/dialog-button.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { showConfirmation } from '../ui/notices.tsx';
import { EndpointForm, type EndpointChanges } from './endpoint-form.tsx';
import type { EndpointCardProps } from './endpoint-card-props.ts';

export function EditEndpoint({ endpoint, events, onChange }: EndpointCardProps) {
  const { client } = useSession();
  const url = path`/api/webhooks/${endpoint.id}`;
  const updateEndpoint = async (wanted: EndpointChanges): Promise<void> => {
    const { events: chosen, ...changes } = findChangedFields(endpoint, wanted);
    await client.patch<Webhook>(url, changes);
    if (chosen) await client.put<Webhook>(`${url}/events`, { events: chosen });
    showConfirmation('The endpoint is saved.');
    onChange();
  };
  return (
    <DialogButton name="Edit" title="Edit the endpoint">
      {(close) => (
        <LoadedView loaded={events}>
          {(known) => (
            <EndpointForm
              form={url}
              endpoint={endpoint}
              events={known}
              onSave={(changes) => updateEndpoint(changes).then(close)}
              onCancel={close}
            />
          )}
        </LoadedView>
      )}
    </DialogButton>
  );
}
