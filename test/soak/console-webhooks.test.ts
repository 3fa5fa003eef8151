import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { takePicture } from '../support/pictures.ts';
import { waitUntil, waitUntilEqual, waitUntilMatches } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { startReceiver, type Receiver } from '../webhooks/receiver.ts';
import { createEndpoint, emitLead } from '../webhooks/support.ts';
import { goToPlace, useConsoles } from '../console/support.ts';

describe('webhooks in the console', function () {
  const consoles = useConsoles(this);
  let parley: TestParleyWithWorker;
  let receiver: Receiver;
  let isFailing = false;
  before(async () => {
    parley = await startParleyWithWorker();
    receiver = await startReceiver((response) => {
      response.statusCode = isFailing ? 422 : 200;
      response.end(isFailing ? 'I do not want <b>this</b>.' : 'thanks');
    });
  });
  afterEach(() => {
    isFailing = false;
    receiver.requests.length = 0;
  });
  after(async () => {
    await parley?.stop();
    await receiver?.close();
  });

  it('are created with the text typed before leaving the page, show their secret once, and can be tested, changed, disabled, enabled, rotated and deleted', async () => {
    const { key, client } = await parley.buildOrg();
    const page = await consoles().openWithKey(parley, key, '/webhooks');
    const add = page.getByRole('button', { name: 'Add endpoint' });
    await add.click();
    const dialog = page.getByRole('dialog');
    const address = dialog.getByRole('textbox', { name: 'URL' });
    await address.fill('http://192.168.1.1/hook');
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await waitUntilEqual(() => address.getAttribute('aria-invalid'), 'true');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await add.click();
    await waitUntilEqual(() => address.inputValue(), '');
    await address.fill(receiver.url);
    await dialog.getByLabel('message.created').uncheck();
    await goToPlace(page, 'bots');
    await page.getByRole('heading', { name: 'Bots', exact: true }).waitFor();
    await page.goBack();
    await add.click();
    await waitUntilEqual(() => address.inputValue(), receiver.url);
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
    assert.match(secret, /^whsec_\S{40,}$/);
    await page.keyboard.press('Escape');
    await page.getByRole('alert').getByText("You can't view it again after you close this dialog.").waitFor();
    await page.getByRole('button', { name: "I've saved it" }).click();
    await page.getByRole('link', { name: receiver.url }).waitFor();
    await waitUntilEqual(() => page.getByText('whsec_').count(), 0);
    const [endpoint] = (await client.get('/api/webhooks')).body;
    assert.equal(endpoint!.events.includes('message.created'), false);
    assert.equal(endpoint!.events.includes('lead.captured'), true);

    const choose = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: `Actions: ${receiver.url}` }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    await choose('Send test event');
    await page.getByText(/The endpoint responded with 200 in \d+ ms\./).waitFor();
    await page.getByText('Healthy').waitFor();

    await choose('Edit');
    await dialog.getByLabel('Description').fill('The shop');
    await dialog.getByLabel('document.indexed').uncheck();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Changes saved').waitFor();
    const { body: saved } = await client.get(`/api/webhooks/${endpoint!.id}`);
    assert.deepEqual([saved.description, endpoint!.events.length - saved.events.length], ['The shop', 1]);

    await choose('Disable');
    await page.locator('.status').getByText('Disabled', { exact: true }).waitFor();
    await choose('Enable');
    await page.getByText('Endpoint enabled').waitFor();

    await choose('Rotate secret');
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    const shown = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
    assert.match(shown, /^whsec_/);
    assert.notEqual(shown, secret);
    await page.getByRole('button', { name: "I've saved it" }).click();

    await choose('Delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No endpoints yet').waitFor();
    assert.equal((await client.get(`/api/webhooks/${endpoint!.id}`)).status, 404);
  });

  /** Sets a filter of the console's list of webhook deliveries. */
  async function filter(page: Page, name: string, value: string): Promise<void> {
    await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name }).first().click();
    await page.getByRole('menuitemradio', { name: value }).click();
    await page.getByRole('button', { name: `${name}: ${value}` }).waitFor();
  }

  it('list each delivery with its response and failure, and can replay it', async () => {
    const org = await parley.buildOrg();
    await createEndpoint(org, receiver.url, { events: ['lead.captured'] });
    isFailing = true;
    await emitLead(parley, org);
    await waitUntil(() => receiver.requests.length === 1, 'the delivery');
    const page = await consoles().openWithKey(parley, org.key, '/webhooks/deliveries');
    await page.getByRole('row').getByText('Failed', { exact: true }).waitFor();
    await page.getByRole('cell', { name: receiver.url }).waitFor();
    await filter(page, 'Status', 'Delivered');
    await page.getByText('No deliveries match your filters.').waitFor();
    await filter(page, 'Status', 'Failed');
    await filter(page, 'Endpoint', receiver.url);
    await filter(page, 'Event', 'lead.captured');
    await page.getByRole('columnheader', { name: 'Endpoint' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'lead.captured' }).click();
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    await drawer.getByText('I do not want <b>this</b>.').waitFor();
    await waitUntilMatches(
      () => drawer.locator('.attempts li').innerText(),
      /^1\s+Failed\s+422 · \d+ ms\s+.+\s+http_422:/,
    );
    await drawer.getByText('"event": "lead.captured"').waitFor();

    isFailing = false;
    const failed = page.url();
    await drawer.getByRole('button', { name: 'Replay lead.captured' }).click();
    await drawer.getByText('Original delivery').waitFor();
    await drawer.locator('h3').getByText('Delivered').waitFor();
    await drawer.getByText('thanks', { exact: true }).waitFor();
    assert.notEqual(page.url(), failed);
    const bodies = receiver.requests.map(({ body }) => body);
    assert.deepEqual([bodies.length, new Set(bodies).size], [2, 1]);

    await drawer.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Remove filter: Status' }).click();
    await page.getByText('2 of 2 deliveries').waitFor();
    await page.getByRole('link', { name: 'Replayed' }).waitFor();
    await page.getByRole('button', { name: 'Attempts' }).click();
    await page.getByRole('columnheader', { name: 'Attempts' }).and(page.locator('[aria-sort]')).waitFor();
    await takePicture(page, 'console-deliveries');
  });

  it('can replay all failed deliveries that the filters select', async () => {
    const org = await parley.buildOrg();
    await createEndpoint(org, receiver.url, { events: ['lead.captured'] });
    isFailing = true;
    for (const count of [1, 2]) {
      await emitLead(parley, org);
      await waitUntil(() => receiver.requests.length === count, 'the delivery');
    }
    isFailing = false;
    const page = await consoles().openWithKey(parley, org.key, '/webhooks/deliveries?status=failed');
    await page.getByText('2 of 2 deliveries').waitFor();
    await page.getByRole('button', { name: 'Replay all failed' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay 2 failed deliveries?' });
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('2 replays sent').waitFor();
    await waitUntil(() => receiver.requests.length === 4, 'the replays');
    await page.getByRole('button', { name: 'Replay all failed' }).waitFor({ state: 'detached' });
  });

  it('show the next attempt of a waiting delivery', async () => {
    const org = await parley.buildOrg();
    const gone = await startReceiver();
    await createEndpoint(org, gone.url, { events: ['lead.captured'] });
    await gone.close();
    await emitLead(parley, org);
    const page = await consoles().openWithKey(parley, org.key, '/webhooks/deliveries');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await waitUntil(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      return (await page.getByText('Retrying').count()) > 0;
    }, 'the retry');
    await page.getByRole('link', { name: 'lead.captured' }).click();
    await page.getByText('Next attempt').waitFor();
  });

  it('show each attempt of a delivery, and link a replayed delivery with its replay', async () => {
    const org = await parley.buildOrg();
    let status = 503;
    const flaky = await startReceiver((response) => {
      response.statusCode = status;
      response.end();
      status = 200;
    });
    await createEndpoint(org, flaky.url, { events: ['lead.captured'] });
    await emitLead(parley, org);
    await waitUntil(() => flaky.requests.length === 2, 'the retry');
    const page = await consoles().openWithKey(parley, org.key, '/webhooks/deliveries');
    await page.getByRole('link', { name: 'lead.captured' }).click();
    await page.locator('h3').getByText('Delivered').waitFor();
    const attempts = await page.locator('.attempts li').allInnerTexts();
    assert.equal(attempts.length, 2);
    assert.match(
      attempts[0] ?? '',
      /^1\s+Failed\s+503 · \d+ ms\s.+http_503: The receiver responded with 503/s,
    );
    assert.match(attempts[1] ?? '', /^2\s+Delivered\s+200 · \d+ ms\s/);
    const original = page.url();
    await page.getByRole('button', { name: 'Replay lead.captured' }).click();
    await page.getByRole('link', { name: 'Original delivery' }).click();
    await waitUntilEqual(() => page.url(), original);
    const replay = page.getByRole('link', { name: 'Latest replay' });
    await replay.click();
    await page.getByRole('link', { name: 'Original delivery' }).waitFor();
    await flaky.close();
  });
});
