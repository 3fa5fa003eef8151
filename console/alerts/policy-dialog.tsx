import { path } from '../client/paths.ts';
import type { AlertPolicy } from '../client/types.ts';
import { ConfirmDialog } from '../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { showConfirmation } from '../components/page/notices.ts';
import { useSession } from '../session/session.tsx';
import { getPolicyName } from './alert-words.ts';
import { VerifyDestination } from './connect/verify-destination.tsx';
import { EditAlert, getAlertFormKey } from './edit-alert.tsx';

/** A change of an alert policy for which the console opens a dialog. */
export type PolicyStep = 'verify' | 'edit' | 'delete';

export interface PolicyDialogProps {
  policy: AlertPolicy;
  step: PolicyStep | null;
  onChange(): void;
  onClose(): void;
}

/** Dialog for the change of an alert policy that the user has chosen. */
export function PolicyDialog({ policy, step, onChange, onClose }: PolicyDialogProps) {
  const { client, forms } = useSession();
  const name = getPolicyName(policy);
  const deleteAlert = async (): Promise<void> => {
    await client.delete(path`/api/alerts/${policy.id}`);
    forms.put(getAlertFormKey(policy), {});
    showConfirmation('Alert deleted');
    onChange();
  };
  switch (step) {
    case null:
      return null;
    case 'edit':
      return <EditAlert policy={policy} onSaved={onChange} onClose={onClose} />;
    case 'verify':
      return (
        <Dialog
          title={`${policy.status === 'blocked' ? 'Reconnect' : 'Verify'} ${policy.destination}`}
          size="lg"
          onClose={onClose}
        >
          <VerifyDestination
            policy={policy}
            onVerified={() => {
              onClose();
              showConfirmation('Recipient verified');
              onChange();
            }}
          />
        </Dialog>
      );
    case 'delete':
      return (
        <ConfirmDialog
          question={`Delete the alert for ${name}?`}
          consequence="No more alerts are sent, and queued alerts are deleted. The recipient stays verified."
          action="Delete"
          onConfirm={deleteAlert}
          onClose={onClose}
        />
      );
  }
}
