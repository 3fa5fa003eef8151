import { useState } from 'react';
import type { Org } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { Form } from '../../components/forms/form.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { WorkspaceNameField } from './name-field.tsx';

export interface NameFormProps {
  /** Current name of the workspace; undefined for a new workspace. */
  name?: string;
  /** Label of the form's submit button. */
  children: string;
  onSubmit(name: string): Promise<Org>;
  onDone(org: Org): void;
}

/** Dialog form that creates or renames a workspace. */
export function NameForm({ name: before = '', children, onSubmit, onDone }: NameFormProps) {
  const [name, setName] = useState(before);
  const submit = useAction(async () => onDone(await onSubmit(name.trim())));
  return (
    <Form onSubmit={() => submit.run()}>
      <WorkspaceNameField value={name} onChange={setName} problem={submit.problem} isFocused />
      <ProblemMessage problem={submit.problem} inlineFields={['name']} />
      <SubmitOrCancel isBusy={submit.isBusy}>{children}</SubmitOrCancel>
    </Form>
  );
}
