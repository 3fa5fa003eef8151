import type { RecoveryCodes } from '../../client/types.ts';
import { saveFile } from '../../ui/save-file.ts';
import { SecretDialog } from '../../ui/secret-dialog.tsx';

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
      tools={
        <button type="button" onClick={saveCodes}>
          Download
        </button>
      }
    >
      Each of them is good once in the place of the app, for when you have lost it. Those made before work no
      more.
    </SecretDialog>
  );
}
