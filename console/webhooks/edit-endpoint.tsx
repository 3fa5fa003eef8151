import { useState } from 'preact/hooks';
import { path } from '../client/paths.ts';
import type { Webhook } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { tell } from '../ui/notices.tsx';
import type { EndpointCardProps } from './endpoint-card.tsx';
import { EndpointForm, type EndpointChanges } from './endpoint-form.tsx';

export function EditEndpoint({ endpoint, events, onChange }: EndpointCardProps) {
  const { client } = useSession();
  const [isEditing, setEditing] = useState(false);
  const url = path`/api/webhooks/${endpoint.id}`;
  const save = async ({ events: wanted, ...changes }: EndpointChanges): Promise<void> => {
    await client.patch<Webhook>(url, changes);
    await client.put<Webhook>(`${url}/events`, { events: wanted });
    setEditing(false);
    tell('The endpoint is saved.');
    onChange();
  };
  return (
    <>
      <button type="button" onClick={() => setEditing(true)}>
        Edit
      </button>
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
    </>
  );
}
