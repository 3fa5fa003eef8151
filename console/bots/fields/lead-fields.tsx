import { Checkbox } from '@mantine/core';
import { SelectField, SwitchField, TextArea, TextField } from '../../components/forms/fields.tsx';
import { Section } from '../../components/page/section.tsx';
import { CapturedFields } from './captured-fields.tsx';
import type { DraftBinding } from './draft-binding.ts';
import { ItemList } from './item-list.tsx';
import { commonFields, parseLeadFields, type LeadField, type LeadTrigger } from './lead-draft.ts';

const MAX_FIELDS = 10;

const triggers: readonly (readonly [LeadTrigger, string])[] = [
  ['before_chat', 'Before the first message'],
  ['after_n_messages', 'After some messages'],
  ['manual', 'Via JavaScript API'],
];

const kinds = [
  ['name', 'Name'],
  ['email', 'Email'],
  ['phone', 'Phone number'],
  ['text', 'Text'],
  ['number', 'Number'],
  ['select', 'Choice'],
] as const;

type Kind = (typeof kinds)[number][0];

/** Editor of the lead form that the widget shows to visitors: when the form appears, and its fields. */
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
                  label="Visitor messages"
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
              hint="Leave blank to use the default."
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
  return (
    <Section title="Form fields" description="Visitors see the fields in this order.">
      <ItemList<LeadField>
        items={parseLeadFields(draft)}
        max={MAX_FIELDS}
        noun="Field"
        addLabel="Add field"
        problem={describeProblem('lead_fields')}
        create={() => ({ key: '', label: '', type: 'text' })}
        getName={({ label }) => label}
        onChange={(changed) => change({ lead_fields: JSON.stringify(changed) })}
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
              value={getFieldKind(field)}
              options={kinds.filter(([kind]) => kind !== 'select' || field.type === 'select')}
              onChange={(kind) => changeField(toFieldIdentity(kind))}
            />
            <Checkbox
              label="Required"
              checked={field.required ?? false}
              onChange={({ currentTarget }) => changeField({ required: currentTarget.checked })}
            />
          </>
        )}
      />
    </Section>
  );
}

function getFieldKind({ key, type = 'text' }: LeadField): Kind {
  return key === 'name' && type === 'text' ? 'name' : type;
}

/**
 * Returns the key and type of a lead form's field of this kind. The keys `name`, `email` and `phone` fill the
 * contact; an empty key is derived from the label on saving.
 */
function toFieldIdentity(kind: Kind): Pick<LeadField, 'key' | 'type'> {
  if (kind === 'name') return { key: 'name', type: 'text' };
  return { key: kind === 'email' || kind === 'phone' ? kind : '', type: kind };
}
