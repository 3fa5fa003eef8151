import { SelectField, TextArea, TextField } from '../../components/forms/fields.tsx';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { splitTrigger, triggerKinds, buildTrigger } from '../graph/trigger-words.ts';
import { useEditing } from './editor-context.ts';

const restLabels = {
  keyword: ['Keywords', 'Separate words with commas: refund, money back.'],
  page: ['Pages', 'For example /pricing* or https://shop.example.com/cart.'],
} as const;

/** Fields for the name and the trigger of a flow. */
export function FlowSettings() {
  const { editor } = useEditing();
  const { draft, change, saving, isReadOnly } = editor;
  const { kind, rest } = splitTrigger(draft.trigger);
  const getProblem = (field: string, label: string) => describeFieldProblem(saving.problem, field, label);
  return (
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      <fieldset className="stack" disabled={isReadOnly}>
        <TextField
          label="Flow name"
          value={draft.name}
          maxLength={120}
          isRequired
          problem={getProblem('name', 'The name')}
          onChange={(name) => change({ name }, 'name')}
        />
        <SelectField
          label="Trigger"
          value={kind}
          options={triggerKinds}
          problem={kind === 'keyword' || kind === 'page' ? undefined : getProblem('trigger', 'The trigger')}
          onChange={(chosen) => change({ trigger: buildTrigger(chosen, '') })}
        />
        {(kind === 'keyword' || kind === 'page') && (
          <TextField
            label={restLabels[kind][0]}
            hint={restLabels[kind][1]}
            value={rest}
            maxLength={190}
            problem={getProblem('trigger', 'The trigger')}
            onChange={(typed) => change({ trigger: buildTrigger(kind, typed) }, 'trigger')}
          />
        )}
        <TextArea
          label="Description (internal)"
          rows={2}
          maxLength={2000}
          value={draft.description}
          onChange={(description) => change({ description }, 'description')}
        />
      </fieldset>
    </form>
  );
}
