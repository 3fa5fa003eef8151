import type { StripeAccount } from '../account.ts';
import { paginate, PAGING } from '../listing.ts';
import type { TaxId } from '../objects.ts';
import { createInvalidRequest } from '../refusal.ts';
import { createRoute, type Call, type Route } from '../route.ts';

export const taxIdRoutes: Route[] = [
  createRoute('POST', '/v1/customers/:id/tax_ids', ['type', 'value'], createTaxId),
  createRoute('GET', '/v1/customers/:id/tax_ids', PAGING, (account, { id, params }) =>
    paginate(listTaxIds(account, id), params, `/v1/customers/${id}/tax_ids`),
  ),
  createRoute('GET', '/v1/customers/:id/tax_ids/:tax_id', [], (account, { ids }) =>
    account.get('tax_id', ids[1]!),
  ),
  createRoute('DELETE', '/v1/customers/:id/tax_ids/:tax_id', [], (account, { ids }) => {
    const taxId = account.get('tax_id', ids[1]!);
    account.remove(taxId.id);
    account.emit('customer.tax_id.deleted', taxId);
    return { id: taxId.id, object: 'tax_id', deleted: true };
  }),
];

const TAX_ID_FORMS: Record<string, RegExp> = {
  eu_vat: /^[A-Z]{2}[0-9A-Z]{2,12}$/,
  gb_vat: /^(GB|XI)?\d{9}(\d{3})?$/,
  ch_vat: /^CHE-?[\d.]{9,11} ?(MWST|TVA|IVA)?$/,
  us_ein: /^\d{2}-?\d{7}$/,
};

/** Types of tax ids that tax offices verify; the digits are Stripe's for tests. */
const VERIFIED_TYPES = ['au_abn', 'eu_vat', 'gb_vat'];
const KNOWN_VERDICTS = { '000000000': 'verified', '111111111': 'unverified' } as const;

export function listTaxIds(account: StripeAccount, customerId: string): TaxId[] {
  return account.list('tax_id').filter(({ customer }) => customer === customerId);
}

/** Stores a tax office's verdict, which arrives some time after the tax id was added. */
export function verifyTaxId(account: StripeAccount, id: string, status: 'verified' | 'unverified'): void {
  const taxId = account.get('tax_id', id);
  const { name, address } = account.get('customer', taxId.customer ?? '');
  const isVerified = status === 'verified';
  const verification = {
    status,
    verified_name: isVerified ? (name ?? null) : null,
    verified_address: isVerified ? (address?.line1 ?? null) : null,
  };
  account.change(taxId, { verification }, 'customer.tax_id.updated');
}

function createTaxId(account: StripeAccount, { id, params }: Call): TaxId {
  const customer = account.getLiveCustomer(id, 'id');
  const [type, value] = [params.requireText('type'), params.requireText('value')];
  if (TAX_ID_FORMS[type]?.test(value) === false)
    throw createInvalidRequest(`Invalid value for ${type}.`, { code: 'tax_id_invalid', param: 'value' });
  const status = VERIFIED_TYPES.includes(type) ? 'pending' : 'unavailable';
  const taxId = account.add<TaxId>(
    {
      id: account.createId('txi'),
      object: 'tax_id',
      country: type === 'eu_vat' ? value.slice(0, 2) : type.slice(0, 2).toUpperCase(),
      created: account.now,
      customer: customer.id,
      livemode: false,
      type,
      value,
      verification: { status, verified_address: null, verified_name: null },
    },
    'customer.tax_id.created',
  );
  const shown = structuredClone(taxId);
  for (const [digits, verdict] of Object.entries(KNOWN_VERDICTS))
    if (value.endsWith(digits)) verifyTaxId(account, taxId.id, verdict);
  return shown;
}
