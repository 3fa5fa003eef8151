import type { AlertPolicy } from '../client/types.ts';
import { useAction } from '../state/use-action.ts';
import { useFormDraft } from '../state/use-form-draft.ts';
import { useSession } from '../session/session.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Form } from '../components/forms/form.tsx';
import { SubmitOrCancel } from '../components/forms/submit-or-cancel.tsx';
import { showConfirmation } from '../components/page/notices.ts';
import { toAlertDraft, isCompleteDraft, toAlertRequest } from './alert-draft.ts';
import { AlertFields, AlertProblem } from './alert-fields.tsx';
import { getPolicyName } from './alert-words.ts';
import { Estimate } from './estimate.tsx';

export interface EditAlertProps {
  policy: AlertPolicy;
  onSaved(): void;
}

/** Returns the key under which the form stores unsaved changes to an alert policy. */
export function getAlertFormKey({ id }: AlertPolicy): string {
  return `alert/${id}`;
}

/** Dialog that changes an alert policy. */
export function EditAlert({ policy, onSaved, onClose }: EditAlertProps & { onClose(): void }) {
  return (
    <Dialog title={`Edit ${getPolicyName(policy)}`} size="lg" onClose={onClose}>
      <EditForm
        policy={policy}
        onSaved={() => {
          onClose();
          onSaved();
        }}
      />
    </Dialog>
  );
}

/** Form for an alert policy, except for bot and destination: the API identifies a policy by those two. */
function EditForm({ policy, onSaved }: EditAlertProps) {
  const { client } = useSession();
  const { draft, change, discard } = useFormDraft(getAlertFormKey(policy), toAlertDraft(policy));
  const save = useAction(async () => {
    await client.put<AlertPolicy>('/api/alerts', toAlertRequest(draft));
    discard();
    showConfirmation('Alert saved');
    onSaved();
  });
  return (
    <Form isReady={isCompleteDraft(draft)} onSubmit={() => save.run()}>
      <AlertFields draft={draft} change={change} problem={save.problem} />
      <Estimate draft={draft} />
      <AlertProblem problem={save.problem} />
      <SubmitOrCancel isBusy={save.isBusy} onCancel={discard}>
        Save changes
      </SubmitOrCancel>
    </Form>
  );
}
