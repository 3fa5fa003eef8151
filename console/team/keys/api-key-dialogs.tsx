import { path } from '../../client/paths.ts';
import type { ApiKeyCreated, Confirmation } from '../../client/types.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { useSession } from '../../session/session.tsx';
import type { Team } from '../team.ts';
import { ApiKeyForm } from './api-key-form.tsx';
import type { KeyStep } from './api-key-table.tsx';
import { RotateKeyForm } from './rotate-key-form.tsx';

export interface ApiKeyDialogsProps {
  team: Team;
  step: KeyStep | null;
  onCreated(key: ApiKeyCreated): void;
  onRevoked(): void;
  onClose(): void;
}

/** Dialog for the change of an API key that the user has chosen. */
export function ApiKeyDialogs({ team, step, onCreated, onRevoked, onClose }: ApiKeyDialogsProps) {
  const { client } = useSession();
  if (step === null) return null;
  const showCreated = (key: ApiKeyCreated): void => {
    onClose();
    onCreated(key);
  };
  if (step.kind === 'create')
    return (
      <Dialog title="Create API key" size="lg" onClose={onClose}>
        <ApiKeyForm form={`new key/${team.id}`} onCreated={showCreated} />
      </Dialog>
    );
  const { id, name } = step.apiKey;
  const url = path`/api/api-keys/${id}`;
  if (step.kind === 'rotate')
    return (
      <Dialog title={`Rotate “${name}”`} onClose={onClose}>
        <RotateKeyForm url={url} onCreated={showCreated} />
      </Dialog>
    );
  const revoke = async (): Promise<void> => {
    showConfirmation((await client.delete<Confirmation>(url)).message);
    onRevoked();
  };
  return (
    <ConfirmDialog
      question={`Revoke “${name}”?`}
      consequence="Requests using this key will fail immediately."
      action="Revoke"
      onConfirm={revoke}
      onClose={onClose}
    />
  );
}
