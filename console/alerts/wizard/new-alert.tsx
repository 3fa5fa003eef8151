import type { AlertPolicy } from '../../client/types.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { AlertWizard } from './alert-wizard.tsx';

export interface NewAlertProps {
  /** Alert policies that exist already. */
  policies: readonly AlertPolicy[];
  onSaved(): void;
  onClose(): void;
}

/** Dialog with the wizard for a new alert policy. It stays open after the policy is saved, for the test. */
export function NewAlert({ policies, onSaved, onClose }: NewAlertProps) {
  return (
    <Dialog title="Create alert" size="lg" onClose={onClose}>
      <AlertWizard policies={policies} onSaved={onSaved} onDone={onClose} />
    </Dialog>
  );
}
