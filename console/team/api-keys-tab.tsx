import { useState } from 'react';
import type { ApiKey, ApiKeyCreated } from '../client/types.ts';
import { useLoad } from '../state/use-load.ts';
import { useSession } from '../session/session.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { ApiKeyForm } from './api-key-form.tsx';
import { ApiKeyTable } from './api-key-table.tsx';
import type { Team } from './team.ts';
import { useMembers } from './use-members.ts';

export function ApiKeysTab({ team }: { team: Team }) {
  const { client } = useSession();
  const keys = useLoad((signal) => client.get<ApiKey[]>('/api/api-keys', signal), [client]);
  const { data: members = [] } = useMembers(team);
  const [made, setMade] = useState<ApiKeyCreated | null>(null);
  const showCreatedKey = (key: ApiKeyCreated): void => {
    setMade(key);
    keys.reload();
  };
  return (
    <>
      <div className="row">
        <DialogButton name="New API key" kind="primary">
          {(close) => (
            <ApiKeyForm
              form={`new key/${team.id}`}
              onMade={(key) => {
                close();
                showCreatedKey(key);
              }}
            />
          )}
        </DialogButton>
      </div>
      <LoadedView loaded={keys}>
        {(all) =>
          all.length === 0 ? (
            <p className="empty">There are no API keys. Programs that call the API need one.</p>
          ) : (
            <ApiKeyTable keys={all} members={members} onMade={showCreatedKey} onRevoked={keys.reload} />
          )
        }
      </LoadedView>
      {made !== null && (
        <SecretDialog
          title="API key"
          label="API key"
          secret={made.key}
          purpose={`Send “${made.name}” in the Authorization header of requests.`}
          onClose={() => setMade(null)}
        />
      )}
    </>
  );
}
