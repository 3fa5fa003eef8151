import assert from 'node:assert/strict';
import { IsNull } from 'typeorm';
import { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import { AccessNoticeRow } from '../../entities/mail/access-notice.entity.ts';
import { readAccessMails } from '../support/access-mails.ts';
import { selectCases } from '../support/it-in-soak.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';
import { buildChild } from '../team/support.ts';
import { buildPayer } from './support.ts';

const EMPTY = {
  address_line1: '',
  address_line2: '',
  billing_email: '',
  city: '',
  country_code: '',
  legal_name: '',
  postal_code: '',
  state_code: '',
  tax_id: '',
  tax_id_type: '',
};
const FULL = {
  address_line1: 'Rua Nova 12',
  address_line2: '2.º Esq.',
  billing_email: 'accounts@acme.example',
  city: 'Lisbon',
  country_code: 'PT',
  legal_name: 'Acme Bakery, Lda.',
  postal_code: '1100-150',
  state_code: '11',
  tax_id: 'PT501442600',
  tax_id_type: 'eu_vat',
};
const PATH = '/api/billing/profile';

describe('the billing profile:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  it('getBillingProfile is empty before the first save', async () => {
    const { client } = await buildPayer(parley);
    const { status, body } = await client.get(PATH);
    assert.equal(status, 200);
    assert.deepEqual(body, { ...EMPTY, tax_id_status: 'none', updated_at: null });
  });

  it('saveBillingProfile stores all ten fields without a payment provider, and replaces all of them', async () => {
    const { session } = await buildPayer(parley);
    const saved = await session.put(PATH, FULL);
    assert.equal(saved.status, 200);
    const { updated_at: updatedAt, ...rest } = saved.body;
    assert.deepEqual(rest, { ...FULL, tax_id_status: 'none' });
    assert.ok(updatedAt);
    assert.deepEqual((await session.get(PATH)).body, saved.body);
    const { body } = await session.put(PATH, { city: ' Porto ', country_code: 'pt' });
    assert.deepEqual(
      { ...body, updated_at: null },
      { ...EMPTY, city: 'Porto', country_code: 'PT', tax_id_status: 'none', updated_at: null },
    );
  });

  const refused: [field: string, profile: object][] = [
    ['tax_id_type', { tax_id: 'PT501442600' }],
    ['tax_id_type', { tax_id: 'PT501442600', tax_id_type: 'pt_secret' }],
    ['tax_id_type', { tax_id_type: 'unknown' }],
    ['country_code', { country_code: 'XX' }],
    ['country_code', { country_code: 'P' }],
    ['country_code', { country_code: 'ß' }],
    ['city', { city: 'Porto\u0007' }],
    ['legal_name', { legal_name: 'Acme\u202eLda' }],
    ['billing_email', { billing_email: 'accounts' }],
    ['billing_email', { billing_email: 'a b@acme.example' }],
    ['legal_name', { legal_name: 'x'.repeat(201) }],
    ['state_code', { state_code: 'x'.repeat(9) }],
    ['vat', { vat: 'PT501442600' }],
  ];
  for (const [field, profile] of selectCases(refused, 5))
    it(`saveBillingProfile refuses ${JSON.stringify(profile).slice(0, 60)}, names ${field} and changes nothing`, async () => {
      const { session } = await buildPayer(parley);
      const { body: before } = await session.put(PATH, FULL);
      const { status, problem } = await session.put(PATH, { ...EMPTY, ...profile });
      assert.equal(status, 422);
      assert.deepEqual(
        problem.details.map((detail) => detail.field),
        [field],
      );
      assert.deepEqual((await session.get(PATH)).body, before);
    });

  it('saveBillingProfile requires a signed-in owner, and writes to the audit log', async () => {
    const { session, client, orgId } = await buildPayer(parley);
    assert.equal(formatOutcome(await client.put(PATH, {})), '403 forbidden');
    const admin = await parley.buildOrg({ role: 'admin', orgId });
    const { client: adminSession } = await parley.signIn(admin);
    assert.equal(formatOutcome(await adminSession.put(PATH, {})), '403 forbidden');
    assert.equal((await adminSession.get(PATH)).status, 200);
    await session.put(PATH, { city: 'Porto' });
    const { body } = await session.get(`/api/orgs/${orgId}/audit-log`);
    assert.deepEqual(
      body.map(({ operation, resource_type, changed_fields }) => [operation, resource_type, changed_fields]),
      [['saveBillingProfile', 'billing_profile', ['city']]],
    );
  });

  const addresses: [before: string, now: string, item: string][] = [
    ['', 'new@acme.example', 'Invoices are sent to new@acme.example.'],
    [
      'old@acme.example',
      'new@acme.example',
      'Invoices are sent to new@acme.example instead of old@acme.example.',
    ],
    ['old@acme.example', '', 'Invoices are no longer sent to old@acme.example.'],
  ];
  for (const [before, now, item] of addresses)
    it(`saveBillingProfile with the address “${now}” in place of “${before}” emails all owners`, async () => {
      const { session, userId, orgId } = await buildPayer(parley);
      const other = await parley.buildOrg({ orgId, role: 'owner' });
      const account = { orgId, profile: { ...EMPTY, billing_email: before } };
      await parley.database.repository(BillingAccount).insert(account);
      assert.equal((await session.put(PATH, { ...FULL, billing_email: now })).status, 200);
      for (const owner of [userId, other.userId])
        assert.deepEqual(
          (await readAccessMails(parley, owner)).map((mail) => mail['items']),
          [item],
        );
    });

  it('saveBillingProfile with the same address sends no email', async () => {
    const { session, userId, orgId } = await buildPayer(parley);
    assert.equal((await session.put(PATH, { city: 'Porto' })).status, 200);
    assert.deepEqual(await readAccessMails(parley, userId), []);
    await session.put(PATH, FULL);
    await session.put(PATH, { ...FULL, city: 'Porto', billing_email: ` ${FULL.billing_email} ` });
    assert.equal((await readAccessMails(parley, userId)).length, 1);
    const waiting = { orgId, notifiedAt: IsNull() };
    assert.equal(await parley.database.repository(AccessNoticeRow).countBy(waiting), 0);
  });

  it('saveBillingProfile refuses a workspace that another workspace pays for, and getBillingProfile shows that workspace no profile', async () => {
    const { session, orgId } = await buildPayer(parley);
    await session.put(PATH, FULL);
    const child = await buildChild(session, orgId);
    const owner = await parley.buildOrg({ orgId: child.id });
    const { client: below } = await parley.signIn(owner);
    assert.deepEqual((await below.get(PATH)).body, { ...EMPTY, tax_id_status: 'none', updated_at: null });
    const refusal = await below.put(PATH, FULL);
    assert.equal(formatOutcome(refusal), '409 conflict');
    assert.equal(JSON.stringify(refusal.body).includes(orgId), false);
  });
});
