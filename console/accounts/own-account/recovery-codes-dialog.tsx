import { Button } from '@mantine/core';
import type { RecoveryCodes } from '../../client/types.ts';
import { saveFile } from '../../components/save-file.ts';
import { SecretDialog } from '../../components/dialogs/secret-dialog.tsx';

export interface RecoveryCodesDialogProps {
  codes: RecoveryCodes;
  onClose(): void;
}

export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const text = codes.recovery_codes.join('\n');
  const saveCodes = (): void =>
    saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'parley-recovery-codes.txt');
  return (
    <SecretDialog
      title="Recovery codes"
      label="Recovery codes"
      secret={text}
      onClose={onClose}
      purpose="Use a recovery code if you lose access to your authenticator app. Each code works once."
      tools={
        <Button variant="default" onClick={saveCodes}>
          Download
        </Button>
      }
    />
  );
}
