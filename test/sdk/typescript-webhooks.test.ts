import assert from 'node:assert/strict';
import { WebhookVerificationError, verifyWebhook } from '../../sdk/typescript/src/index.ts';
import { eventCatalogue } from '../../services/webhooks/event-catalogue.ts';
import { signDelivery } from '../../services/webhooks/signature.ts';

const SECRET = 'whsec_test';
const now = () => Math.floor(Date.now() / 1000);

describe('verifyWebhook of the TypeScript SDK', () => {
  const signed = (body: string, time = now(), secret = SECRET) => ({
    'x-webhook-signature': signDelivery(secret, time, body),
  });
  const refuses = (...args: Parameters<typeof verifyWebhook>) =>
    assert.rejects(verifyWebhook(...args), WebhookVerificationError);

  for (const { name, example } of eventCatalogue)
    it(`returns the event ${name}`, async () => {
      const body = JSON.stringify(example);
      assert.deepEqual(await verifyWebhook(body, signed(body), SECRET), example);
    });

  it('lets an event through that it does not know', async () => {
    const body = '{"event":"bot.bored","data":{}}';
    assert.deepEqual(await verifyWebhook(body, signed(body), SECRET), { event: 'bot.bored', data: {} });
  });

  it('takes bodies and headers as every server has them', async () => {
    const body = '{"event":"lead.captured","data":{"id":"ü"}}';
    const bytes = new TextEncoder().encode(body);
    const headers = signed(body);
    const value = headers['x-webhook-signature'];
    for (const raw of [body, bytes, Buffer.from(body), bytes.slice().buffer])
      for (const given of [headers, new Headers(headers), { 'X-Webhook-Signature': [value] }])
        assert.equal((await verifyWebhook(raw, given, SECRET)).event, 'lead.captured');
  });

  it('takes a signature by any of the secrets, and any of several signatures', async () => {
    const body = '{"event":"lead.captured","data":{}}';
    await verifyWebhook(body, signed(body), ['whsec_new', SECRET]);
    const [time = '', fresh = ''] = signed(body)['x-webhook-signature'].split(',');
    await verifyWebhook(
      body,
      { 'x-webhook-signature': `${time},v1=${'00'.repeat(32)},${fresh},v0=1` },
      SECRET,
    );
  });

  it('refuses what was changed, is signed by another, or is too old or too new', async () => {
    const body = '{"event":"lead.captured","data":{}}';
    await refuses(`${body} `, signed(body), SECRET);
    await refuses(body, signed(body), 'whsec_other');
    await refuses(body, signed(body), []);
    await refuses(body, signed(body), ['']);
    await refuses(body, signed(body, now() - 310), SECRET);
    await refuses(body, signed(body, now() + 310), SECRET);
    await verifyWebhook(body, signed(body, now() - 290), SECRET);
    await verifyWebhook(body, signed(body, now() - 900), SECRET, { toleranceSeconds: 1000 });
    await refuses(body, signed(body, now() - 20), SECRET, { toleranceSeconds: 10 });
    const moved = signed(body)['x-webhook-signature'].replace(/^t=\d+/, `t=${now() + 1}`);
    await refuses(body, { 'x-webhook-signature': moved }, SECRET);
  });

  for (const header of [
    '',
    't=',
    'v1=00',
    't=1',
    `t=x,v1=${'00'.repeat(32)}`,
    `t=1,t=2,v1=00`,
    't=NaN,v1=00',
    'v1',
  ])
    it(`refuses the header “${header}”`, () => refuses('{}', { 'x-webhook-signature': header }, SECRET));

  it('refuses a request without the header, and a signed body that is no JSON', async () => {
    await refuses('{}', {}, SECRET);
    await refuses('no', signed('no'), SECRET);
  });
});
