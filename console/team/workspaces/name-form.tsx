import { useState } from 'preact/hooks';
import type { Org } from '../../client/types.ts';
import { useAction } from '../../hooks/use-action.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { problemAt, ProblemMessage } from '../../ui/problem-message.tsx';
import { SubmitOrCancel } from '../../ui/submit-or-cancel.tsx';

export interface NameFormProps {
  /** Before. */
  name?: string;
  /** What the button says. */
  children: string;
  onSubmit(name: string): Promise<Org>;
  onDone(org: Org): void;
}

/** Asks in a dialog what a workspace is to be called. */
export function NameForm({ name: before = '', children, onSubmit, onDone }: NameFormProps) {
  const [name, setName] = useState(before);
  const submit = useAction(async () => onDone(await onSubmit(name.trim())));
  return (
    <Form class="stack" onSubmit={() => submit.run()}>
      <TextField
        label="Name of the workspace"
        value={name}
        onChange={setName}
        problem={problemAt(submit.problem, 'name', 'The name')}
        minLength={2}
        maxLength={255}
        isFocused
        isRequired
      />
      <ProblemMessage problem={submit.problem} toldBy={['name']} />
      <SubmitOrCancel isBusy={submit.isBusy}>{children}</SubmitOrCancel>
    </Form>
  );
}
