import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startParley, type TestOrg, type TestParley } from '../../support/parley.ts';
import { takePicture } from '../../support/pictures.ts';
import { waitUntilEqual } from '../../support/wait-until.ts';
import { buildChild } from '../../team/support.ts';
import { addUsage } from '../../usage/support.ts';
import { PAID, putAccount, putTier, SELLING } from '../../console/billing-support.ts';
import { MISNAMED, NAMELESS, useConsoles } from '../../console/support.ts';

const PHONE = { viewport: { width: 360, height: 780 } };
const DESK = { viewport: { width: 1280, height: 1000 } };
const NOW = '2026-11-27T10:05:00Z';
const CHECKOUT = '01a1fdcb-8765-74d9-98f6-8e8f056b1e34';
const HAS_LINK_IN_SIGHT = `(() => {
  const { left, right } = document.querySelector('nav [aria-current]').getBoundingClientRect();
  return left >= 0 && right <= innerWidth;
})()`;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const card = (page: Page, tier: string) => page.locator(`[data-tier="${tier}"]`);

describe('the billing page', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  let org: TestOrg;
  before(async () => (parley = await startParley(SELLING)));
  after(() => parley?.stop());
  beforeEach(async () => (org = await parley.buildOrg()));

  const openAsOwner = (place = '/billing', options = {}) =>
    consoles().openAsPerson(parley, org, place, options);

  it('shows plans with limits and prices, and the current plan (listPlans)', async () => {
    await putAccount(parley, org, 'pro', PAID);
    const page = await openAsOwner('/billing', { ...DESK, now: NOW });
    await page.getByText('Paid. Renews on 12 Dec 2026').waitFor();
    assert.equal(await card(page, 'pro').locator('.tag').innerText(), 'Current');
    assert.deepEqual(await card(page, 'business').getByRole('listitem').allInnerTexts(), [
      '50,000 messages a month',
      '10,000 documents',
      '50 bots',
      '50 seats',
      '15,000 alerts a month',
    ]);
    await card(page, 'starter').getByText('$29 per month').waitFor();
    await page.getByText('1,500 messages', { exact: true }).waitFor();
    await page.getByText('1 of 15', { exact: true }).waitFor();
    assert.equal(await page.getByRole('meter', { name: 'Seats' }).getAttribute('value'), '1');
    await page.getByText('1,000 messages for $15, paid once.').waitFor();
    const names = await page.getByRole('main').getByRole('button').allInnerTexts();
    assert.deepEqual(names, [
      'Cancel subscription',
      'Change to Starter',
      'Change to Business',
      'Buy 1,000 messages for $15',
    ]);
    await waitUntilEqual(
      async () => [await page.evaluate(NAMELESS), await page.evaluate(MISNAMED)],
      [[], []],
    );
    await takePicture(page, 'console-billing');
  });

  it('describes a subscription’s state and the available actions (getSubscription)', async () => {
    await putAccount(parley, org, 'pro', { ...PAID, endsAt: PAID.periodEnd });
    const page = await openAsOwner('/billing', { now: NOW });
    await page.getByText('Canceled. The plan stays active until 12 Dec 2026').waitFor();
    await button(page, 'Keep Pro').waitFor();
    assert.equal(await button(page, 'Cancel subscription').count(), 0);
  });

  it('offers plans in place of the operator’s plan, but no top-ups without a message limit (getSubscription)', async () => {
    await putAccount(parley, org, 'enterprise');
    const page = await openAsOwner();
    await page.getByText('Your operator assigned the Enterprise plan to this workspace.').waitFor();
    await page.getByText('No active subscription').waitFor();
    await page.getByText('0 · Unlimited').first().waitFor();
    await page.getByText('Buying a plan replaces the assigned plan.').waitFor();
    assert.equal(await page.locator('[data-tier]').count(), 3);
    await button(page, 'Choose Pro').waitFor();
    assert.equal(await button(page, 'Buy 1,000 messages for $15').count(), 0);
    await putTier(parley, org, 'business');
    await page.reload();
    await page.getByText('Your operator assigned the Business plan to this workspace.').waitFor();
    await button(page, 'Buy 1,000 messages for $15').waitFor();
  });

  it('lets the owner cancel a subscription that an operator’s plan overrides, and that plan stays (cancelSubscription)', async () => {
    await putAccount(parley, org, 'enterprise', PAID);
    const page = await openAsOwner('/billing', { ...DESK, now: NOW });
    await page.getByText('Your operator assigned the Enterprise plan to this workspace.').waitFor();
    await page.getByText("There's also a paid subscription; the next payment is due").waitFor();
    assert.deepEqual(await page.getByRole('main').getByRole('button').allInnerTexts(), [
      'Cancel subscription',
    ]);
    await button(page, 'Cancel subscription').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The workspace keeps the Enterprise plan').waitFor();
    await dialog.getByRole('button', { name: 'Keep subscription' }).click();
  });

  it('shows a paid subscription and its cancellation even if no plan is for sale (getSubscription)', async () => {
    const { PARLEY_PLANS: _, ...unpriced } = SELLING;
    const plain = await startParley(unpriced);
    try {
      const owner = await plain.buildOrg();
      await putAccount(plain, owner, 'pro', PAID);
      const page = await consoles().openAsPerson(plain, owner, '/billing', { now: NOW });
      await page.getByText('Paid. Renews on 12 Dec 2026').waitFor();
      await page.getByText('0 of 10,000').waitFor();
      await page.getByRole('heading', { name: 'No plans for sale yet' }).waitFor();
      await button(page, 'Cancel subscription').waitFor();
      await putAccount(plain, owner, 'free', { status: 'none', paidTier: 'free', subscriptionId: null });
      await page.reload();
      await page.getByText('No active subscription').waitFor();
      await page.getByText('0 of 200').waitFor();
    } finally {
      await plain.stop();
    }
  });

  it('shows which limits of the plan are reached (getUsage)', async () => {
    await putAccount(parley, org, 'free');
    for (let seat = 2; seat <= 3; seat += 1) await parley.buildOrg({ orgId: org.orgId });
    await org.client.post('/api/bots', { name: 'Guide' });
    const page = await openAsOwner();
    const readUsed = (limit: string) => page.locator(`[data-limit="${limit}"]`).innerText();
    await page.getByText('3 of 2 · Over the limit').waitFor();
    assert.match(await readUsed('bots'), /1 of 1$/);
    assert.match(await readUsed('messages_per_month'), /0 of 200$/);
  });

  it('shows a child workspace its plan and limits, and that another workspace pays (getSubscription)', async () => {
    const { client } = await parley.signIn(org);
    const below = await buildChild(client, org.orgId);
    await putAccount(parley, org, 'pro', PAID);
    const person = { ...org, orgId: below.id };
    const page = await consoles().openAsPerson(parley, person, '/billing');
    await page.getByText('The top-level workspace pays for all sub-workspaces.').waitFor();
    await page.getByText('10,000 messages a month, 2,000 documents').waitFor();
    assert.equal(await page.getByRole('main').getByRole('button').count(), 0);
    assert.equal(await page.getByRole('navigation', { name: 'Billing pages' }).count(), 0);
  });

  it('offers nothing to people who are not owners, and shows which role may view it (listPlans)', async () => {
    await putAccount(parley, org, 'pro', PAID);
    const admin = await parley.buildOrg({ orgId: org.orgId, role: 'admin' });
    const page = await consoles().openAsPerson(parley, admin, '/billing');
    await page.getByText('Only owners can change the plan.').waitFor();
    assert.equal(await page.getByRole('main').getByRole('button').count(), 0);

    const member = await parley.buildOrg({ orgId: org.orgId, role: 'member' });
    const other = await consoles().openAsPerson(parley, member, '/billing');
    await other.getByText("You don't have permission").waitFor();
    const link = other
      .getByRole('navigation', { name: 'Console' })
      .getByRole('link', { name: 'Billing', exact: true });
    assert.equal(await link.count(), 0);
  });

  it('explains how to enable billing without a payment provider (listPlans)', async () => {
    const plain = await startParley();
    try {
      const owner = await plain.buildOrg();
      const page = await consoles().openAsPerson(plain, owner, '/billing');
      await page.getByRole('heading', { name: 'Billing is off' }).waitFor();
      const link = page.getByRole('link', { name: 'the settings' });
      assert.equal(await link.getAttribute('href'), '/docs/settings#PARLEY_STRIPE_SECRET_KEY');
      assert.equal((await fetch(`${plain.baseUrl}/docs/settings`)).status, 200);
    } finally {
      await plain.stop();
    }
  });

  it('retries when Parley is unreachable, and shows a loading state (getSubscription)', async () => {
    await putAccount(parley, org, 'free');
    const page = await openAsOwner('/inbox');
    await page.route('**/api/billing/subscription', (route) => route.abort());
    await page.goto(`${parley.baseUrl}/console/billing`);
    await page.getByRole('alert').getByText("Can't reach Parley").waitFor();
    await page.unroute('**/api/billing/subscription');
    await page.getByText('No active subscription').waitFor();
    await card(page, 'starter').getByRole('button', { name: 'Choose Starter' }).waitFor();
  });

  it('waits for the payment after the return from the provider, and reports a long wait (getSubscription)', async () => {
    await putAccount(parley, org, 'free');
    const page = await openAsOwner();
    await page.getByText('No active subscription').waitFor();
    await page.evaluate(
      `sessionStorage.setItem('parley.checkout', '{"id":"${CHECKOUT}","tier":"pro","quantity":1,"creditsBefore":0}')`,
    );
    await page.clock.install();
    await page.goto(`${parley.baseUrl}/console/billing?checkout=${CHECKOUT}&outcome=done`);
    await page.getByText('Waiting for the payment provider to confirm').waitFor();
    await page.clock.runFor(25_000);
    await page.getByText('taking longer than usual').waitFor();
    await putAccount(parley, org, 'pro', PAID);
    await page.clock.runFor(10_000);
    await page.getByText("You're on the Pro plan now.").waitFor();
    await page.getByRole('link', { name: 'Dismiss' }).click();
    await page.getByText("You're on the Pro plan now.").waitFor({ state: 'detached' });
  });

  it('shows no result of a payment in another tab, and polls for a while (getSubscription)', async () => {
    await putAccount(parley, org, 'free');
    const page = await openAsOwner();
    await page.getByText('No active subscription').waitFor();
    await page.clock.install();
    await page.goto(`${parley.baseUrl}/console/billing?checkout=${CHECKOUT}&outcome=done`);
    const notice = page.getByText('Your purchase appears below once the payment is confirmed.');
    await notice.waitFor();
    await putAccount(parley, org, 'pro', PAID);
    await page.clock.runFor(2_000);
    await page.getByText('Paid. Renews on').waitFor();
    await notice.waitFor();
  });

  it('requests usage again once a top-up has arrived (getUsage)', async () => {
    await putAccount(parley, org, 'free');
    await addUsage(parley, org.orgId, { day: new Date().toISOString().slice(0, 10), messages: 200 });
    const page = await openAsOwner();
    const messages = page.locator('[data-limit="messages_per_month"]');
    await messages.getByText('200 of 200 · Limit reached').waitFor();
    await page.evaluate(
      `sessionStorage.setItem('parley.checkout', '{"id":"${CHECKOUT}","tier":"topup","quantity":1,"creditsBefore":0}')`,
    );
    await page.clock.install();
    await page.goto(`${parley.baseUrl}/console/billing?checkout=${CHECKOUT}&outcome=done`);
    await page.getByText('Waiting for the payment provider to confirm').waitFor();
    await putAccount(parley, org, 'free', { creditsLeft: 1000 });
    await page.clock.runFor(2_000);
    await page.getByText('1,000 messages added').waitFor();
    await messages.getByText('200 of 200', { exact: true }).waitFor();
  });

  it('shows that nothing was bought after a return without payment (getSubscription)', async () => {
    await putAccount(parley, org, 'free');
    const page = await openAsOwner(`/billing?checkout=${CHECKOUT}&outcome=left`);
    await page.getByRole('alert').getByText("You haven't been charged.").waitFor();
  });

  it('saves the addressee of receipts, and shows errors at their fields (saveBillingProfile)', async () => {
    const page = await openAsOwner('/billing/profile', PHONE);
    await page.getByLabel('Name', { exact: true }).fill('Harbour Bikes, Lda.');
    await page.getByLabel('Country').selectOption('Portugal');
    await page.getByLabel('Tax ID', { exact: true }).fill('PT501442600');
    await button(page, 'Save changes').click();
    await page.getByText(/^The type must/).waitFor();
    await page.getByLabel('Tax ID type').selectOption('European Union: VAT number');
    await button(page, 'Save changes').click();
    await page.getByText('Billing details saved').waitFor();
    const { body } = await org.client.get('/api/billing/profile');
    assert.deepEqual(
      [body.legal_name, body.country_code, body.tax_id_type, body.tax_id],
      ['Harbour Bikes, Lda.', 'PT', 'eu_vat', 'PT501442600'],
    );
    await waitUntilEqual(() => page.evaluate('document.documentElement.scrollWidth'), PHONE.viewport.width);
    await waitUntilEqual(
      async () => [await page.evaluate(NAMELESS), await page.evaluate(MISNAMED)],
      [[], []],
    );
  });

  it('shows the addressee to admins, read-only (getBillingProfile)', async () => {
    const profile = { legal_name: 'Harbour Bikes, Lda.', address_line1: 'Rua Nova 12', country_code: 'PT' };
    const owner = await parley.signIn(org);
    await owner.client.put('/api/billing/profile', {
      ...profile,
      tax_id: 'PT501442600',
      tax_id_type: 'eu_vat',
    });
    const admin = await parley.buildOrg({ orgId: org.orgId, role: 'admin' });
    const page = await consoles().openAsPerson(parley, admin, '/billing/profile');
    await page.getByText('Only owners can change the billing details.').waitFor();
    await page.getByText('Rua Nova 12, Portugal').waitFor();
    await page.getByText('PT501442600 (European Union: VAT number)').waitFor();
    assert.equal(await page.getByRole('main').getByRole('textbox').count(), 0);
  });

  it('fits a phone', async () => {
    await putAccount(parley, org, 'pro', PAID);
    const page = await openAsOwner('/billing', PHONE);
    await card(page, 'business').waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).waitFor();
    await waitUntilEqual(() => page.evaluate(HAS_LINK_IN_SIGHT), true);
    await waitUntilEqual(() => page.evaluate('document.documentElement.scrollWidth'), PHONE.viewport.width);
  });
});
