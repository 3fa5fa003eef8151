import type { AlertPolicy } from '../../client/types.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { IconPlus } from '../../shell/icons.ts';
import { AlertWizard } from './alert-wizard.tsx';

export interface NewAlertProps {
  /** Policies that exist already. */
  policies: readonly AlertPolicy[];
  onSaved(): void;
}

export function NewAlert({ policies, onSaved }: NewAlertProps) {
  return (
    <DialogButton name="Create alert" kind="primary" icon={<IconPlus />}>
      {(close) => <AlertWizard policies={policies} onSaved={onSaved} onDone={close} />}
    </DialogButton>
  );
}
