import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { findFreePorts } from '../../../scripts/launcher/ports.ts';
import type { TestOrg } from '../../support/parley.ts';
import { FakeStripe } from '../../support/stripe/fake-stripe.ts';
import { describeWithStripe } from '../../support/stripe/stripe-mock.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import { putTier } from '../../console/billing-support.ts';
import { useConsoles } from '../../console/support.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describeWithStripe('the billing page', function () {
  const consoles = useConsoles(this);
  let parley: TestParleyWithWorker;
  let fake: FakeStripe;
  let org: TestOrg;
  before(async () => {
    fake = await FakeStripe.start();
    // Choose the port before the start, because the payment provider redirects to the console's URL.
    const [port] = await findFreePorts(1);
    const env = { PORT: String(port), PARLEY_BASE_URL: `http://127.0.0.1:${port}` };
    parley = await startParleyWithWorker({ ...fake.env, ...env });
    fake.deliveries.urls = [`${parley.baseUrl}/api/billing/provider-events`];
  });
  after(async () => {
    await parley?.stop();
    await fake?.stop();
  });
  beforeEach(async () => {
    org = await parley.buildOrg();
    await putTier(parley, org, 'free');
  });
  afterEach(() => {
    fake.requireKnownRequests();
    assert.deepEqual(fake.deliveries.failures, []);
  });

  const open = () => consoles().openAsPerson(parley, org, '/billing');

  async function buyPro(page: Page): Promise<void> {
    await button(page, 'Choose Pro').click();
    await page.getByRole('heading', { name: 'Pay 99.00 USD' }).waitFor();
    await button(page, 'Pay').click();
    await page.getByText("You're on the Pro plan now.").waitFor();
  }

  it('lets an owner pay for a plan on the provider’s page, and shows a receipt afterwards (createCheckout, downloadReceipt)', async () => {
    const page = await open();
    await buyPro(page);
    await page.getByText('0 of 10,000').waitFor();
    await page.getByRole('link', { name: 'Receipts' }).click();
    const row = page.locator('tr[data-id]');
    await row.getByText('$99', { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      row.getByRole('button', { name: /^Download/ }).click(),
    ]);
    assert.match(download.suggestedFilename(), /^receipt-.+-0001\.pdf$/);
    assert.equal((await readFile(await download.path(), 'latin1')).slice(0, 5), '%PDF-');
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Export CSV').click()]);
    assert.equal((await readFile(await file.path(), 'utf8')).split('\r\n').length, 3);
  });

  it('opens the provider’s page to change the plan (createCheckout)', async () => {
    const page = await open();
    await buyPro(page);
    await button(page, 'Change to Business').click();
    await page.getByRole('heading', { name: 'Change to Business' }).waitFor();
    await button(page, 'Confirm').click();
    await page.getByText("You're on the Business plan now.").waitFor();
  });

  it('shows when the plan ends, and undoes the cancellation if the plan is chosen again (cancelSubscription)', async () => {
    const page = await open();
    await buyPro(page);
    await button(page, 'Cancel subscription').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^The plan stays active until .+\./).waitFor();
    await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByText(/^Canceled\. The plan stays active until/).waitFor();
    await button(page, 'Keep Pro').click();
    await page.getByText(/^Paid\. Renews on/).waitFor();
    const [subscription] = fake.account.list('subscription').slice(-1);
    assert.equal(subscription?.cancel_at_period_end, false);
  });

  it('adds the bought messages once they are paid (createCheckout)', async () => {
    const page = await open();
    await page.getByLabel('Units of 1,000 messages').fill('5');
    await button(page, 'Buy 5,000 messages for $75').click();
    await page.getByRole('heading', { name: 'Pay 75.00 USD' }).waitFor();
    await button(page, 'Pay').click();
    await page.getByText('5,000 messages added').waitFor();
    await page.getByText('5,000 messages', { exact: true }).waitFor();
  });

  it('shows that nothing was bought after a return without payment, and opens the same page again (createCheckout)', async () => {
    const page = await open();
    await button(page, 'Choose Pro').click();
    await page.getByRole('heading', { name: 'Pay 99.00 USD' }).waitFor();
    const address = page.url();
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByRole('alert').getByText("You haven't been charged.").waitFor();
    await page.getByText("The checkout for Pro isn't complete").waitFor();
    await button(page, 'Resume checkout Pro').click();
    await page.getByRole('heading', { name: 'Pay 99.00 USD' }).waitFor();
    assert.equal(page.url(), address);
  });

  it('shows why nothing can be bought while the provider is unavailable (createCheckout)', async () => {
    fake.faults.makeUnavailable();
    const page = await open();
    await button(page, 'Choose Pro').click();
    await page.getByRole('alert').waitFor();
    fake.faults.clear();
    await buyPro(page);
  });
});
