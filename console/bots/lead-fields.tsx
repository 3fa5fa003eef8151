import { Button } from '@mantine/core';
import { CheckboxField, SelectField, TextArea, TextField } from '../components/fields.tsx';
import type { DraftBinding } from './bot-fields.tsx';
import { commonFields, parseLeadFields, type LeadField, type LeadTrigger } from './lead-draft.ts';

const MAX_FIELDS = 10;

const triggers: readonly (readonly [LeadTrigger, string])[] = [
  ['before_chat', 'Before the first message'],
  ['after_n_messages', 'After some messages'],
  ['manual', 'When the page asks for it'],
];

const kinds = [
  ['name', 'Name'],
  ['email', 'E-mail address'],
  ['phone', 'Phone number'],
  ['text', 'Text'],
  ['number', 'Number'],
  ['select', 'Choice of a contact field'],
] as const;

type Kind = (typeof kinds)[number][0];

/** Editor of the lead form: when it appears, and its fields. */
export function LeadFields({ draft, text, choice, change }: DraftBinding) {
  const fields = parseLeadFields(draft);
  const changeFields = (changed: readonly LeadField[]): void =>
    change({ lead_fields: JSON.stringify(changed) });
  const enable = (isChecked: boolean): void =>
    change({
      lead_enabled: isChecked,
      ...(isChecked && fields.length === 0 && { lead_fields: JSON.stringify(commonFields) }),
    });
  return (
    <>
      <CheckboxField label="Ask visitors for contact details" {...choice('lead_enabled')} onChange={enable} />
      {draft.lead_enabled && (
        <fieldset className="stack">
          <legend>Contact details</legend>
          <div className="row">
            <SelectField
              label="When to ask"
              value={draft.lead_trigger}
              options={triggers}
              onChange={(trigger) => change({ lead_trigger: trigger })}
            />
            {draft.lead_trigger === 'after_n_messages' && (
              <TextField
                label="After so many messages"
                type="number"
                min={1}
                max={50}
                isRequired
                {...text('lead_after')}
              />
            )}
          </div>
          <TextField
            label="Heading of the form"
            hint="The widget’s own words when empty."
            maxLength={120}
            {...text('lead_title')}
          />
          <TextArea label="Sentence above the fields" rows={2} maxLength={300} {...text('lead_intro')} />
          {fields.map((field, at) => (
            <FieldRow
              key={at}
              number={at + 1}
              field={field}
              onChange={(changed) => changeFields(fields.with(at, changed))}
              onRemove={() => changeFields(fields.toSpliced(at, 1))}
            />
          ))}
          <Button
            variant="default"
            aria-disabled={fields.length >= MAX_FIELDS}
            onClick={() => {
              if (fields.length < MAX_FIELDS) changeFields([...fields, { key: '', label: '', type: 'text' }]);
            }}
          >
            Add a field
          </Button>
        </fieldset>
      )}
    </>
  );
}

interface FieldRowProps {
  number: number;
  field: LeadField;
  onChange(field: LeadField): void;
  onRemove(): void;
}

function FieldRow({ number, field, onChange, onRemove }: FieldRowProps) {
  const { label, required = false } = field;
  return (
    <div className="row lead-field" role="group" aria-label={`Field ${number}`}>
      <TextField
        label="Called"
        value={label}
        maxLength={100}
        isRequired
        onChange={(typed) => onChange({ ...field, label: typed })}
      />
      <SelectField
        label="Asks for"
        value={getFieldKind(field)}
        options={kinds.filter(([kind]) => kind !== 'select' || field.type === 'select')}
        onChange={(kind) => onChange({ ...field, ...toFieldIdentity(kind) })}
      />
      <CheckboxField
        label="Needed"
        isChecked={required}
        onChange={(isChecked) => onChange({ ...field, required: isChecked })}
      />
      <Button variant="default" aria-label={`Remove ${label || `field ${number}`}`} onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}

function getFieldKind({ key, type = 'text' }: LeadField): Kind {
  return key === 'name' && type === 'text' ? 'name' : type;
}

/**
 * Returns the key and type for a kind of lead field. The keys `name`, `email` and `phone` fill the contact;
 * an empty key is derived from the label on saving.
 */
function toFieldIdentity(kind: Kind): Pick<LeadField, 'key' | 'type'> {
  if (kind === 'name') return { key: 'name', type: 'text' };
  return { key: kind === 'email' || kind === 'phone' ? kind : '', type: kind };
}
