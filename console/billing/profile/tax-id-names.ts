import type { BillingProfile } from '../../client/types.ts';

/**
 * Names of the most common types of tax ids, such as VAT numbers, by the payment provider's name of the type.
 */
const names: Record<string, string> = {
  ae_trn: 'United Arab Emirates: TRN',
  au_abn: 'Australia: ABN',
  br_cnpj: 'Brazil: CNPJ',
  ca_bn: 'Canada: BN',
  ca_gst_hst: 'Canada: GST/HST number',
  ch_vat: 'Switzerland: VAT number',
  cl_tin: 'Chile: TIN',
  eu_oss_vat: 'European Union: One-Stop-Shop VAT number',
  eu_vat: 'European Union: VAT number',
  gb_vat: 'United Kingdom: VAT number',
  hk_br: 'Hong Kong: BR number',
  id_npwp: 'Indonesia: NPWP',
  il_vat: 'Israel: VAT number',
  in_gst: 'India: GST number',
  jp_trn: 'Japan: registration number',
  kr_brn: 'South Korea: BRN',
  mx_rfc: 'Mexico: RFC',
  my_sst: 'Malaysia: SST number',
  no_vat: 'Norway: VAT number',
  nz_gst: 'New Zealand: GST number',
  sa_vat: 'Saudi Arabia: VAT number',
  sg_gst: 'Singapore: GST number',
  th_vat: 'Thailand: VAT number',
  tr_tin: 'Türkiye: tax number',
  tw_vat: 'Taiwan: VAT number',
  ua_vat: 'Ukraine: VAT number',
  us_ein: 'United States: EIN',
  za_vat: 'South Africa: VAT number',
};

/**
 * Returns the types of tax ids that the user can choose, with their names.
 * @param current selected type, included even if the list does not have it
 */
export function listTaxIdOptions(current: string): (readonly [string, string])[] {
  const known = Object.entries(names).toSorted(([, a], [, b]) => a.localeCompare(b));
  const isKnown = current === '' || current in names;
  return [['', 'None'], ...known, ...(isKnown ? [] : [[current, current] as const])];
}

export function getTaxIdTypeName(type: string): string {
  return names[type] ?? type;
}

/** Explains each verification status of a workspace's tax id. */
export const taxIdStates: Record<BillingProfile['tax_id_status'], string | undefined> = {
  none: undefined,
  pending: 'Verification pending',
  verified: 'Verified',
  rejected: "The ID couldn't be verified, so it isn't printed on receipts.",
};
