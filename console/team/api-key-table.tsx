import { path } from '../client/paths.ts';
import type { ApiKey, ApiKeyCreated, Member, Message } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { showConfirmation } from '../components/notices.ts';
import { Table } from '../components/table.tsx';
import { TimeText } from '../components/time-text.tsx';
import { RotateKeyForm } from './rotate-key-form.tsx';

interface KeyHandlers {
  onMade(key: ApiKeyCreated): void;
  onRevoked(): void;
}

export interface ApiKeyTableProps extends KeyHandlers {
  keys: readonly ApiKey[];
  members: readonly Member[];
}

export function ApiKeyTable({ keys, members, ...handlers }: ApiKeyTableProps) {
  const getMemberName = (userId: string) =>
    members.find(({ user_id: id }) => id === userId)?.full_name ?? '–';
  return (
    <Table columns={['Key', 'Scopes', 'API version', 'Created', 'Last used', 'Expires']} hasActions>
      {keys.map((key) => (
        <tr key={key.id} data-id={key.id}>
          <td>
            <strong>{key.name}</strong> <code>{`${key.prefix}…${key.last_four}`}</code>
          </td>
          <td className="wide">{key.scopes.join(', ')}</td>
          <td>{key.api_version ?? 'current'}</td>
          <td>
            <TimeText at={key.created_at} /> by {getMemberName(key.created_by_id)}
          </td>
          <td>
            <TimeText at={key.last_used_at} otherwise="never" />
          </td>
          <td>
            <TimeText at={key.expires_at} otherwise="never" />
          </td>
          <td>
            <KeyActions apiKey={key} {...handlers} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function KeyActions({ apiKey, onMade, onRevoked }: KeyHandlers & { apiKey: ApiKey }) {
  const { client } = useSession();
  const { name } = apiKey;
  const url = path`/api/api-keys/${apiKey.id}`;
  const revoke = async (): Promise<void> => {
    showConfirmation((await client.delete<Message>(url)).message);
    onRevoked();
  };
  return (
    <div className="row">
      <DialogButton name="Rotate" title={`Replace the key “${name}”`} about={name}>
        {(close) => (
          <RotateKeyForm
            url={url}
            onMade={(key) => {
              close();
              onMade(key);
            }}
          />
        )}
      </DialogButton>
      <ConfirmButton
        about={name}
        question={`Revoke the key “${name}”?`}
        consequence="Whatever calls with it is refused at once."
        onConfirm={revoke}
      >
        Revoke
      </ConfirmButton>
    </div>
  );
}
