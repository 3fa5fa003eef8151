import assert from 'node:assert/strict';
import { takePicture } from '../support/pictures.ts';
import { waitUntil, waitUntilEqual, waitUntilMatches } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { startReceiver, type Receiver } from '../webhooks/receiver.ts';
import { createEndpoint, emitLead } from '../webhooks/support.ts';
import { useConsoles } from '../console/support.ts';

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
    const page = await consoles().openWithKey(parley, key, '#/webhooks');
    await page.getByRole('button', { name: 'New endpoint' }).click();
    const dialog = page.getByRole('dialog');
    const address = dialog.getByRole('textbox', { name: 'Address' });
    await address.fill('http://192.168.1.1/hook');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'New endpoint' }).click();
    await waitUntilEqual(() => address.inputValue(), '');
    await address.fill(receiver.url);
    await dialog.getByLabel('message.created').uncheck();
    await page.evaluate("location.hash = '#/bots'");
    await page.getByRole('heading', { name: 'Bots' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'New endpoint' }).click();
    await waitUntilEqual(() => address.inputValue(), receiver.url);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
    assert.match(secret, /^whsec_\S{40,}$/);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('heading', { name: receiver.url }).waitFor();
    await waitUntilEqual(() => page.getByText('whsec_').count(), 0);
    const [endpoint] = (await client.get('/api/webhooks')).body;
    assert.equal(endpoint!.events.includes('message.created'), false);
    assert.equal(endpoint!.events.includes('lead.captured'), true);

    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/The receiver answered 200 after \d+ ms\./).waitFor();
    await page.getByText('healthy').waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Description').fill('The shop');
    await page.getByRole('dialog').getByLabel('document.indexed').uncheck();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('The endpoint is saved.').waitFor();
    const { body: saved } = await client.get(`/api/webhooks/${endpoint!.id}`);
    assert.deepEqual([saved.description, endpoint!.events.length - saved.events.length], ['The shop', 1]);

    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('disabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Disable' }).waitFor();

    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click();
    const shown = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
    assert.match(shown, /^whsec_/);
    assert.notEqual(shown, secret);
    await page.getByRole('button', { name: 'I have kept it' }).click();

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There are no endpoints yet.').waitFor();
    assert.equal((await client.get(`/api/webhooks/${endpoint!.id}`)).status, 404);
  });

  it('list each delivery with its response and failure, and replay it', async () => {
    const org = await parley.buildOrg();
    await createEndpoint(org, receiver.url, { events: ['lead.captured'] });
    isFailing = true;
    await emitLead(parley, org);
    await waitUntil(() => receiver.requests.length === 1, 'the delivery');
    const page = await consoles().openWithKey(parley, org.key, '#/webhooks/deliveries');
    await page.getByRole('row').getByText('failed', { exact: true }).waitFor();
    await page.getByRole('cell', { name: receiver.url }).waitFor();
    await page.getByLabel('Status').selectOption('Delivered');
    await page.getByText('No delivery fits these filters.').waitFor();
    await page.getByLabel('Status').selectOption('Failed');
    await page.getByLabel('Endpoint').selectOption(receiver.url);
    await page.getByLabel('Event').selectOption('lead.captured');
    await page.getByRole('columnheader', { name: 'Endpoint' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'lead.captured' }).click();
    await page.getByText('I do not want <b>this</b>.').waitFor();
    await waitUntilMatches(
      () => page.locator('main tbody tr').innerText(),
      /^1\s+\d+ \w+ \d{4}, \d\d:\d\d\s+failed\s+422\s+\d+ ms\s+http_422:/,
    );
    await page.getByText('"event": "lead.captured"').waitFor();

    isFailing = false;
    const failed = page.url();
    await page.getByRole('button', { name: 'Replay lead.captured' }).click();
    await page.getByText('an earlier one').waitFor();
    await page.locator('h2').getByText('delivered').waitFor();
    await page.getByText('thanks', { exact: true }).waitFor();
    assert.notEqual(page.url(), failed);
    const bodies = receiver.requests.map(({ body }) => body);
    assert.deepEqual([bodies.length, new Set(bodies).size], [2, 1]);

    await page.getByRole('link', { name: 'All deliveries' }).click();
    await waitUntilEqual(() => page.getByLabel('Status').inputValue(), 'failed');
    await page.getByLabel('Status').selectOption('Any status');
    await page.getByText('2 of 2 deliveries').waitFor();
    await page.getByRole('link', { name: 'replayed' }).waitFor();
    await takePicture(page, 'console-deliveries');
  });

  it('show the next attempt of a waiting delivery', async () => {
    const org = await parley.buildOrg();
    const gone = await startReceiver();
    await createEndpoint(org, gone.url, { events: ['lead.captured'] });
    await gone.close();
    await emitLead(parley, org);
    const page = await consoles().openWithKey(parley, org.key, '#/webhooks/deliveries');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await waitUntil(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      return (await page.getByText('retrying').count()) > 0;
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
    const page = await consoles().openWithKey(parley, org.key, '#/webhooks/deliveries');
    await page.getByRole('link', { name: 'lead.captured' }).click();
    await page.locator('h2').getByText('delivered').waitFor();
    const attempts = await page.locator('main tbody tr').allInnerTexts();
    assert.equal(attempts.length, 2);
    assert.match(
      attempts[0] ?? '',
      /^1\s.+failed\s+503\s+\d+ ms\s+http_503: The receiver responded with 503/s,
    );
    assert.match(attempts[1] ?? '', /^2\s.+delivered\s+200\s+\d+ ms\s+–$/s);
    const original = page.url();
    await page.getByRole('button', { name: 'Replay lead.captured' }).click();
    await page.getByRole('link', { name: 'an earlier one' }).click();
    await waitUntilEqual(() => page.url(), original);
    const replay = page.getByRole('link', { name: 'sent again as a newer one' });
    await replay.click();
    await page.getByRole('link', { name: 'an earlier one' }).waitFor();
    await flaky.close();
  });
});
