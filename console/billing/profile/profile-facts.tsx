import type { BillingProfile } from '../../client/types.ts';
import { Facts } from '../../components/lists/facts.tsx';
import { Section } from '../../components/page/section.tsx';
import { getCountryName } from './country-options.ts';
import { taxIdStates, getTaxIdTypeName } from './tax-id-names.ts';

/** Shows the billing profile to users who may not change it. */
export function ProfileFacts({ profile }: { profile: BillingProfile }) {
  const { tax_id: taxId, tax_id_type: type, tax_id_status: status } = profile;
  const lines = [
    profile.address_line1,
    profile.address_line2,
    `${profile.postal_code} ${profile.city}`.trim(),
    profile.state_code,
    getCountryName(profile.country_code),
  ];
  return (
    <Section title="Billing details">
      <Facts
        facts={[
          ['Name', profile.legal_name || null],
          ['Address', lines.filter(Boolean).join(', ') || null],
          ['Email', profile.billing_email || null],
          ['Tax ID', taxId === '' ? null : `${taxId} (${getTaxIdTypeName(type)})`],
          ['Verification', taxIdStates[status] ?? null],
        ]}
      />
      <p className="hint">Only owners can change the billing details.</p>
    </Section>
  );
}
