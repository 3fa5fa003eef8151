import { Button } from '@mantine/core';
import { SelectField, TextArea, TextField } from '../../components/fields.tsx';
import { Section } from '../../components/section.tsx';
import { IconPlus } from '../../shell/icons.ts';
import type { DraftBinding } from './draft-binding.ts';
import { lines } from './form-field.ts';
import { parseCapturedFields, type CapturedField } from './lead-draft.ts';
import { RowTools } from './row-tools.tsx';

const MAX_FIELDS = 20;

const kinds = [
  ['text', 'Text'],
  ['email', 'Email'],
  ['phone', 'Phone number'],
  ['number', 'Number'],
  ['select', 'Choice'],
] as const;

/** Editor of the fields that the model captures from conversations. */
export function CapturedFields({ draft, change, describeProblem }: DraftBinding) {
  const fields = parseCapturedFields(draft);
  const changeFields = (changed: readonly CapturedField[]): void =>
    change({ captured_fields: JSON.stringify(changed) });
  const problem = describeProblem('captured_fields');
  return (
    <Section
      title="Auto-captured fields"
      description="The bot notes these details when a visitor mentions them."
    >
      {fields.length > 0 && (
        <div className="item-rows">
          {fields.map((field, at) => (
            <div key={at} className="item-row" role="group" aria-label={`Captured detail ${at + 1}`}>
              <TextField
                label="Label"
                value={field.label}
                maxLength={100}
                isRequired
                onChange={(label) => changeFields(fields.with(at, { ...field, label }))}
              />
              <SelectField
                label="Field type"
                value={field.type ?? 'text'}
                options={kinds}
                onChange={(type) => changeFields(fields.with(at, { ...field, type }))}
              />
              <RowTools
                rows={fields}
                at={at}
                about={field.label || `field ${at + 1}`}
                onChange={changeFields}
              />
              {field.type === 'select' && (
                <OptionsField
                  options={field.options ?? []}
                  onChange={(options) => changeFields(fields.with(at, { ...field, options }))}
                />
              )}
            </div>
          ))}
        </div>
      )}
      {problem !== undefined && <p className="field-problem">{problem}</p>}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} />}
          aria-disabled={fields.length >= MAX_FIELDS}
          data-inactive={fields.length >= MAX_FIELDS || undefined}
          onClick={() => {
            if (fields.length < MAX_FIELDS) changeFields([...fields, { key: '', label: '', type: 'text' }]);
          }}
        >
          Add auto-captured field
        </Button>
      </div>
    </Section>
  );
}

function OptionsField({ options, onChange }: { options: string[]; onChange(options: string[]): void }) {
  return (
    <div className="item-row-wide">
      <TextArea
        label="Options"
        hint="One per line, up to 30."
        rows={3}
        value={lines.show(options)}
        onChange={(typed) => onChange(typed.split('\n'))}
      />
    </div>
  );
}
