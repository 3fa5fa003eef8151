import { parseCountryCode } from '../contacts/countries.ts';
import { isEmailAddress } from '../contacts/email-address.ts';
import type { ErrorDetail } from '../errors/errors.ts';
import { taxIdTypes } from './tax-id-types.ts';

/** Maximum length of each field of a billing profile, by its name in the API. */
export const profileLimits = {
  address_line1: 200,
  address_line2: 200,
  billing_email: 320,
  city: 120,
  country_code: 2,
  legal_name: 200,
  postal_code: 24,
  state_code: 8,
  tax_id: 64,
  tax_id_type: 16,
} as const;

export type ProfileField = keyof typeof profileLimits;
const profileFields = Object.keys(profileLimits) as ProfileField[];

/** Name and address to print on receipts. Empty strings stand for missing values. */
export type BillingProfile = Record<ProfileField, string>;

export const EMPTY_PROFILE = Object.fromEntries(profileFields.map((name) => [name, ''])) as BillingProfile;

export const taxIdStatuses = ['none', 'pending', 'verified', 'rejected'] as const;
export type TaxIdStatus = (typeof taxIdStatuses)[number];

const COUNTRY = /^[A-Za-z]{2}$/;
/** Matches control characters and text-direction marks, which are not allowed on invoices. */
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Prepares a billing profile for storage: trims all values and converts the country code to upper case. */
export function normalizeProfile(input: Partial<BillingProfile>): BillingProfile {
  const trimmed = Object.entries(input).map(([name, text]) => [name, text.trim()]);
  const profile: BillingProfile = { ...EMPTY_PROFILE, ...Object.fromEntries(trimmed) };
  // Convert only ASCII letters: the upper case of ß is SS, which would be a valid country code.
  return COUNTRY.test(profile.country_code)
    ? { ...profile, country_code: profile.country_code.toUpperCase() }
    : profile;
}

/** Returns an error for each invalid field of a billing profile. */
export function listProfileErrors(profile: BillingProfile): ErrorDetail[] {
  const { billing_email: email, country_code: country, tax_id: taxId, tax_id_type: type } = profile;
  const faults: ErrorDetail[] = [];
  const addFault = (field: ProfileField, message: string) =>
    faults.push({ field, in: 'body', code: 'invalid', message });
  for (const field of profileFields)
    if (INVISIBLE.test(profile[field])) addFault(field, 'must not contain control characters');
  if (email !== '' && !isEmailAddress(email)) addFault('billing_email', 'must be an email address');
  if (country !== '' && !(COUNTRY.test(country) && parseCountryCode(country) !== null))
    addFault('country_code', 'must be an ISO 3166-1 country code, such as PT');
  if (type !== '' && !taxIdTypes.has(type))
    addFault('tax_id_type', 'must be a tax id type that Stripe supports, such as eu_vat');
  if (taxId !== '' && type === '') addFault('tax_id_type', 'must be the type of the tax_id, such as eu_vat');
  return faults;
}
