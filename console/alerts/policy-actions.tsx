import { path } from '../client/paths.ts';
import type { AlertPolicy, AlertTest } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { ActionButton } from '../components/action-button.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { showConfirmation } from '../components/notices.ts';
import { getPolicyName } from './alert-words.ts';
import { VerifyDestination } from './connect/verify-destination.tsx';
import { EditAlert, getAlertFormKey } from './edit-alert.tsx';

export interface PolicyActionsProps {
  policy: AlertPolicy;
  onChange(): void;
  onTested(test: AlertTest): void;
}

export function PolicyActions({ policy, onChange, onTested }: PolicyActionsProps) {
  const { client, forms } = useSession();
  const url = path`/api/alerts/${policy.id}`;
  const name = getPolicyName(policy);
  const isBlocked = policy.blocked_reason !== null || policy.status === 'blocked';
  const isProven = policy.verified && !isBlocked;
  const test = async (): Promise<void> => {
    onTested(await client.post<AlertTest>(`${url}/test`));
    onChange();
  };
  const deleteAlert = async (): Promise<void> => {
    await client.delete(url);
    forms.put(getAlertFormKey(policy), {});
    showConfirmation('The alert is deleted.');
    onChange();
  };
  return (
    <div className="row">
      {isProven ? (
        <ActionButton about={name} onAction={test}>
          Send a test
        </ActionButton>
      ) : (
        <DialogButton
          name={isBlocked ? 'Connect again' : 'Verify'}
          title={`${isBlocked ? 'Connect' : 'Verify'} ${policy.destination}`}
          about={name}
          kind="primary"
        >
          {(close) => (
            <VerifyDestination
              policy={policy}
              onVerified={() => {
                close();
                showConfirmation('The destination is verified.');
                onChange();
              }}
            />
          )}
        </DialogButton>
      )}
      <EditAlert policy={policy} onSaved={onChange} />
      <ConfirmButton
        question={`Delete the alert of ${name}?`}
        consequence="Nothing is sent by it any more, and what waits to be sent is dropped. The destination stays verified."
        about={name}
        onConfirm={deleteAlert}
      >
        Delete
      </ConfirmButton>
    </div>
  );
}
