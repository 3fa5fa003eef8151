import { SelectField, TextArea, TextField } from '../../components/forms/fields.tsx';
import { Section } from '../../components/page/section.tsx';
import type { DraftBinding } from './draft-binding.ts';
import { lines } from './form-field.ts';
import { ItemList } from './item-list.tsx';
import { parseCapturedFields, type CapturedField } from './lead-draft.ts';

const MAX_FIELDS = 20;

const kinds = [
  ['text', 'Text'],
  ['email', 'Email'],
  ['phone', 'Phone number'],
  ['number', 'Number'],
  ['select', 'Choice'],
] as const;

/** Editor of the contact fields whose values the model captures from conversations. */
export function CapturedFields({ draft, change, describeProblem }: DraftBinding) {
  return (
    <Section
      title="Auto-captured fields"
      description="The bot saves these details when a visitor mentions them."
    >
      <ItemList<CapturedField>
        items={parseCapturedFields(draft)}
        max={MAX_FIELDS}
        noun="Captured field"
        addLabel="Add auto-captured field"
        problem={describeProblem('captured_fields')}
        create={() => ({ key: '', label: '', type: 'text' })}
        getName={({ label }) => label}
        onChange={(changed) => change({ captured_fields: JSON.stringify(changed) })}
        renderFields={(field, changeField) => (
          <>
            <TextField
              label="Label"
              value={field.label}
              maxLength={100}
              isRequired
              onChange={(label) => changeField({ label })}
            />
            <SelectField
              label="Field type"
              value={field.type ?? 'text'}
              options={kinds}
              onChange={(type) => changeField({ type })}
            />
          </>
        )}
        renderWideField={({ type, options }, changeField) =>
          type === 'select' && (
            <TextArea
              label="Options"
              hint="One per line, up to 30."
              rows={3}
              value={lines.show(options ?? [])}
              onChange={(typed) => changeField({ options: typed.split('\n') })}
            />
          )
        }
      />
    </Section>
  );
}
