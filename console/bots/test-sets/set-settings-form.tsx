import { useState } from 'react';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import type { TestSet } from '../../client/types.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { useAction } from '../../state/use-action.ts';

export interface SetSettingsFormProps {
  set: TestSet;
  onSave(changes: Pick<TestSet, 'name' | 'required_percent'>): Promise<void>;
}

const inlineFields = ['name', 'required_percent'];

/** Form for the name of a test set, and the percentage of answers that must pass before the bot goes live. */
export function SetSettingsForm({ set, onSave }: SetSettingsFormProps) {
  const [name, setName] = useState(set.name);
  const [percent, setPercent] = useState(set.required_percent?.toString() ?? '');
  const save = useAction(() => onSave({ name, required_percent: percent === '' ? null : Number(percent) }));
  return (
    <Form onSubmit={() => save.run()}>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        maxLength={100}
        isRequired
        isFocused
        problem={describeFieldProblem(save.problem, 'name', 'Name')}
      />
      <TextField
        label="Pass rate required to go live (%)"
        hint="Percentage of answers that must pass before the bot goes live. Leave blank for no requirement."
        type="number"
        min={1}
        max={100}
        value={percent}
        onChange={setPercent}
        problem={describeFieldProblem(save.problem, 'required_percent', 'The percentage')}
      />
      <ProblemMessage problem={save.problem} inlineFields={inlineFields} />
      <SubmitOrCancel isBusy={save.isBusy}>Save</SubmitOrCancel>
    </Form>
  );
}
