import { ApiError } from '../client/api-error.ts';
import type { ApiKeyCreated, Meta } from '../client/types.ts';
import { useAction } from '../state/use-action.ts';
import { useFormDraft } from '../state/use-form-draft.ts';
import { useLoad } from '../state/use-load.ts';
import { useSession } from '../session/session.tsx';
import { Choices } from '../components/choices.tsx';
import { TextField } from '../components/fields.tsx';
import { Form } from '../components/form.tsx';
import { SubmitOrCancel } from '../components/submit-or-cancel.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { describeFieldProblem } from '../client/describe-problem.ts';
import { ProblemMessage } from '../components/problem-message.tsx';
import { parseStartOfDay } from './parse-start-of-day.ts';
import { listScopeChoices } from './scopes.ts';

export interface ApiKeyFormProps {
  /** Unique key under which the form's values are stored until the API key is created or the user cancels. */
  form: string;
  onMade(key: ApiKeyCreated): void;
}

export function ApiKeyForm({ form, onMade }: ApiKeyFormProps) {
  const { client } = useSession();
  const { draft, change, discard } = useFormDraft(form, { name: '', lastDay: '', scopes: '' });
  const { name, lastDay } = draft;
  const scopes = draft.scopes.split(' ').filter(Boolean);
  const create = useAction(async () => {
    if (scopes.length === 0)
      throw new ApiError('Choose at least one thing that the key may do.', { code: 'nothing_chosen' });
    const expiresAt = lastDay === '' ? null : parseStartOfDay(lastDay);
    const request = { name: name.trim(), scopes, expires_at: expiresAt };
    onMade(await client.post<ApiKeyCreated>('/api/api-keys', request));
    discard();
  });
  const meta = useLoad((signal) => client.get<Meta>('/api/meta', signal), [client]);
  const { problem } = create;
  return (
    <Form className="stack" onSubmit={() => create.run()}>
      <TextField
        label="What it is for"
        value={name}
        onChange={(typed) => change({ name: typed })}
        problem={describeFieldProblem(problem, 'name', 'This')}
        maxLength={120}
        isRequired
        isFocused
      />
      <TextField
        label="Ends on"
        type="date"
        value={lastDay}
        onChange={(day) => change({ lastDay: day })}
        problem={describeFieldProblem(problem, 'expires_at', 'The end')}
        hint="At the beginning of that day; without one, it lasts until it is revoked."
      />
      <LoadedView loaded={meta}>
        {({ usable_scopes: usable }) => (
          <Choices
            legend="What it may do"
            choices={listScopeChoices(usable)}
            chosen={new Set(scopes)}
            onChange={(chosen) => change({ scopes: [...chosen].join(' ') })}
          />
        )}
      </LoadedView>
      <p className="hint">It can never do more than you may yourself. Writing includes reading.</p>
      <ProblemMessage problem={problem} inlineFields={['name', 'expires_at']} />
      <SubmitOrCancel isBusy={create.isBusy} onCancel={discard}>
        Create the key
      </SubmitOrCancel>
    </Form>
  );
}
