import { Button, Checkbox } from '@mantine/core';
import { SelectField, SwitchField, TextArea, TextField } from '../../components/fields.tsx';
import { Section } from '../../components/section.tsx';
import { IconPlus } from '../../shell/icons.ts';
import { CapturedFields } from './captured-fields.tsx';
import type { DraftBinding } from './draft-binding.ts';
import { commonFields, parseLeadFields, type LeadField, type LeadTrigger } from './lead-draft.ts';
import { RowTools } from './row-tools.tsx';

const MAX_FIELDS = 10;

const triggers: readonly (readonly [LeadTrigger, string])[] = [
  ['before_chat', 'Before the first message'],
  ['after_n_messages', 'After N messages'],
  ['manual', 'Via JavaScript API'],
];

const kinds = [
  ['name', 'Name'],
  ['email', 'Email'],
  ['phone', 'Phone number'],
  ['text', 'Text'],
  ['number', 'Number'],
  ['select', 'Choice of a contact field'],
] as const;

type Kind = (typeof kinds)[number][0];

/** Editor of the lead form: when it appears, and its fields. */
export function LeadFields(binding: DraftBinding) {
  const { draft, text, choice, change } = binding;
  const fields = parseLeadFields(draft);
  const enable = (isChecked: boolean): void =>
    change({
      lead_enabled: isChecked,
      ...(isChecked && fields.length === 0 && { lead_fields: JSON.stringify(commonFields) }),
    });
  return (
    <>
      <Section title="Lead form" description="Ask visitors how you can reach them.">
        <SwitchField label="Collect contact details" {...choice('lead_enabled')} onChange={enable} />
        {draft.lead_enabled && (
          <>
            <div className="field-pair">
              <SelectField
                label="Show form"
                value={draft.lead_trigger}
                options={triggers}
                onChange={(trigger) => change({ lead_trigger: trigger })}
              />
              {draft.lead_trigger === 'after_n_messages' && (
                <TextField
                  label="Number of messages"
                  type="number"
                  min={1}
                  max={50}
                  isRequired
                  {...text('lead_after')}
                />
              )}
            </div>
            <TextField
              label="Form title"
              hint="Default text if blank."
              maxLength={120}
              {...text('lead_title')}
            />
            <TextArea label="Form description" rows={2} maxLength={300} {...text('lead_intro')} />
          </>
        )}
      </Section>
      {draft.lead_enabled && <FormFields {...binding} />}
      <CapturedFields {...binding} />
    </>
  );
}

function FormFields({ draft, change, describeProblem }: DraftBinding) {
  const fields = parseLeadFields(draft);
  const changeFields = (changed: readonly LeadField[]): void =>
    change({ lead_fields: JSON.stringify(changed) });
  const problem = describeProblem('lead_fields');
  return (
    <Section title="Form fields" description="In the order in which visitors see them.">
      <div className="item-rows">
        {fields.map((field, at) => (
          <div key={at} className="item-row" role="group" aria-label={`Field ${at + 1}`}>
            <TextField
              label="Label"
              value={field.label}
              maxLength={100}
              isRequired
              onChange={(label) => changeFields(fields.with(at, { ...field, label }))}
            />
            <SelectField
              label="Field type"
              value={getFieldKind(field)}
              options={kinds.filter(([kind]) => kind !== 'select' || field.type === 'select')}
              onChange={(kind) => changeFields(fields.with(at, { ...field, ...toFieldIdentity(kind) }))}
            />
            <Checkbox
              label="Required"
              checked={field.required ?? false}
              onChange={({ currentTarget }) =>
                changeFields(fields.with(at, { ...field, required: currentTarget.checked }))
              }
            />
            <RowTools
              rows={fields}
              at={at}
              about={field.label || `field ${at + 1}`}
              onChange={changeFields}
            />
          </div>
        ))}
      </div>
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
          Add field
        </Button>
      </div>
    </Section>
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
