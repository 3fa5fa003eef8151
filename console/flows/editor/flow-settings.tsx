import { SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import { problemAt } from '../../ui/problem-message.tsx';
import { partsOf, triggerKinds, triggerOf } from '../graph/trigger-words.ts';
import { useEditing } from './editor-context.ts';

const restLabels = {
  keyword: ['Words', 'With commas between them: refund, money back.'],
  page: ['Pages', 'As /pricing* or https://shop.example.com/cart.'],
} as const;

/** Name and trigger of a flow. */
export function FlowSettings() {
  const { editor } = useEditing();
  const { draft, change, saving, isReadOnly } = editor;
  const { kind, rest } = partsOf(draft.trigger);
  const problem = (field: string, label: string) => problemAt(saving.problem, field, label);
  return (
    <form class="stack" onSubmit={(event) => event.preventDefault()}>
      <fieldset class="bare stack" disabled={isReadOnly}>
        <TextField
          label="Name of the flow"
          value={draft.name}
          maxLength={120}
          isRequired
          problem={problem('name', 'The name')}
          onChange={(name) => change({ name }, 'name')}
        />
        <SelectField
          label="Begins"
          value={kind}
          options={triggerKinds}
          problem={kind === 'keyword' || kind === 'page' ? undefined : problem('trigger', 'The trigger')}
          onChange={(chosen) => change({ trigger: triggerOf(chosen, '') })}
        />
        {(kind === 'keyword' || kind === 'page') && (
          <TextField
            label={restLabels[kind][0]}
            hint={restLabels[kind][1]}
            value={rest}
            maxLength={190}
            problem={problem('trigger', 'The trigger')}
            onChange={(typed) => change({ trigger: triggerOf(kind, typed) }, 'trigger')}
          />
        )}
        <TextArea
          label="Description, for the team"
          rows={2}
          maxLength={2000}
          value={draft.description}
          onChange={(description) => change({ description }, 'description')}
        />
      </fieldset>
    </form>
  );
}
