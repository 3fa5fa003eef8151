import { Button, Group } from '@mantine/core';
import { Form, SubmitButton } from '../../components/forms/form.tsx';
import type { BillingProfile, BillingProfileChange } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { useSession } from '../../session/session.tsx';
import { SelectField, TextField } from '../../components/forms/fields.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { Section } from '../../components/page/section.tsx';
import { TimeText } from '../../components/text/time-text.tsx';
import { listCountryOptions } from './country-options.ts';
import { listTaxIdOptions, taxIdStates } from './tax-id-names.ts';

export interface ProfileFormProps {
  profile: BillingProfile;
  onSaved(profile: BillingProfile): void;
}

const FORM = 'billing/profile';
const countries = listCountryOptions();

type Draft = Required<BillingProfileChange>;
type TextName = Exclude<keyof Draft, 'country_code' | 'tax_id_type'>;

const texts: Record<TextName, { label: string; maxLength: number; type?: 'email' }> = {
  legal_name: { label: 'Name', maxLength: 200 },
  address_line1: { label: 'Address line 1', maxLength: 200 },
  address_line2: { label: 'Address line 2', maxLength: 200 },
  postal_code: { label: 'Postal code', maxLength: 24 },
  city: { label: 'City', maxLength: 120 },
  state_code: { label: 'State or region', maxLength: 8 },
  billing_email: { label: 'Billing email', maxLength: 320, type: 'email' },
  tax_id: { label: 'Tax ID', maxLength: 64 },
};
const ADDRESS = ['legal_name', 'address_line1', 'address_line2'] as const;
const LOCALITY = ['postal_code', 'city', 'state_code'] as const;

/** Form for the billing profile. Changes apply to future receipts only. */
export function ProfileForm({ profile, onSaved }: ProfileFormProps) {
  const { client } = useSession();
  const { tax_id_status: status, updated_at: updatedAt, ...stored } = profile;
  const { draft, change, markSaved, discard, isChanged } = useFormDraft<Draft>(FORM, stored);
  const save = useAction(async () => {
    onSaved(await client.put<BillingProfile>('/api/billing/profile', draft));
    markSaved(draft);
    showConfirmation('Billing details saved');
  });
  const renderTextField = (name: TextName, hint?: string) => (
    <TextField
      key={name}
      {...texts[name]}
      hint={hint}
      value={draft[name]}
      onChange={(typed) => change({ [name]: typed })}
      problem={describeFieldProblem(save.problem, name, texts[name].label)}
    />
  );
  return (
    <Section title="Billing details" description="These details are printed on future receipts.">
      <Form onSubmit={() => save.run()}>
        {ADDRESS.map((name) => renderTextField(name))}
        <div className="field-row">{LOCALITY.map((name) => renderTextField(name))}</div>
        <SelectField
          label="Country"
          value={draft.country_code}
          onChange={(chosen) => change({ country_code: chosen })}
          options={countries}
          problem={describeFieldProblem(save.problem, 'country_code', 'The country')}
        />
        {renderTextField('billing_email', 'The payment provider sends its invoices here.')}
        <div className="field-row">
          <SelectField
            label="Tax ID type"
            value={draft.tax_id_type}
            onChange={(chosen) => change({ tax_id_type: chosen })}
            options={listTaxIdOptions(draft.tax_id_type)}
            problem={describeFieldProblem(save.problem, 'tax_id_type', 'The type')}
          />
          {renderTextField('tax_id', taxIdStates[status])}
        </div>
        <ProblemMessage problem={save.problem} inlineFields={Object.keys(stored)} />
        <Group>
          <SubmitButton isBusy={save.isBusy}>Save changes</SubmitButton>
          {isChanged && (
            <Button variant="default" onClick={discard}>
              Discard
            </Button>
          )}
        </Group>
        {updatedAt !== null && (
          <p className="hint">
            Last saved <TimeText at={updatedAt} />.
          </p>
        )}
      </Form>
    </Section>
  );
}
