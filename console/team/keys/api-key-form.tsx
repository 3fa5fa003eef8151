import { ApiError } from '../../client/api-error.ts';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import type { ApiKeyCreated } from '../../client/types.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { RowSkeletons } from '../../components/page/page-skeleton.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { useSession } from '../../session/session.tsx';
import { useAction } from '../../state/use-action.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { useMeta } from '../../state/use-meta.ts';
import { parseStartOfDay } from '../parse-start-of-day.ts';
import { ScopeFields } from './scope-fields.tsx';

export interface ApiKeyFormProps {
  /** Unique key under which the form's values are stored until the API key is created or the user cancels. */
  form: string;
  onCreated(key: ApiKeyCreated): void;
}

export function ApiKeyForm({ form, onCreated }: ApiKeyFormProps) {
  const { client } = useSession();
  const meta = useMeta();
  const { draft, change, discard } = useFormDraft(form, { name: '', lastDay: '', scopes: '' });
  const { name, lastDay } = draft;
  const scopes = draft.scopes.split(' ').filter(Boolean);
  const create = useAction(async () => {
    if (scopes.length === 0) throw new ApiError('Select at least one scope.', { code: 'nothing_chosen' });
    const expiresAt = lastDay === '' ? null : parseStartOfDay(lastDay);
    const request = { name: name.trim(), scopes, expires_at: expiresAt };
    onCreated(await client.post<ApiKeyCreated>('/api/api-keys', request));
    discard();
  });
  const { problem } = create;
  return (
    <Form onSubmit={() => create.run()}>
      <TextField
        label="Name"
        value={name}
        onChange={(typed) => change({ name: typed })}
        problem={describeFieldProblem(problem, 'name', 'The name')}
        placeholder="Website backend"
        maxLength={120}
        isRequired
        isFocused
      />
      <TextField
        label="Expires"
        type="date"
        value={lastDay}
        onChange={(day) => change({ lastDay: day })}
        problem={describeFieldProblem(problem, 'expires_at', 'The date')}
        hint="The key expires at the start of that day. Leave blank for a key that doesn't expire."
      />
      {meta === undefined ? (
        <RowSkeletons />
      ) : (
        <ScopeFields
          usable={meta.usable_scopes}
          scopes={scopes}
          onChange={(chosen) => change({ scopes: chosen.join(' ') })}
        />
      )}
      <p className="hint">A key can't exceed your own permissions. Write access includes read access.</p>
      <ProblemMessage problem={problem} inlineFields={['name', 'expires_at']} />
      <SubmitOrCancel isBusy={create.isBusy} onCancel={discard}>
        Create key
      </SubmitOrCancel>
    </Form>
  );
}
