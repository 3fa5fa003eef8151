import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import { AlertMessage } from '../../entities/alerts/alert-message.entity.ts';
import { AlertInbound } from '../../entities/alerts/alert-provider.entity.ts';
import { newId } from '../../core/ids.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { assertLoopBlockedBelow } from '../support/loop-meter.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { signWhatsappBody, WHATSAPP } from '../support/whatsapp.ts';
import { connectChat, savePolicy, WITHOUT_WORKER } from './support.ts';

/** Maximum time in milliseconds that a notification from WhatsApp may block the event loop. */
const MAX_BLOCKED_MS = 50;

describe('POST /hooks/whatsapp', () => {
  let parley: TestParley;
  let org: TestOrg;
  let destination: string;
  let policyId: string;
  before(async () => {
    parley = await startParley({ ...WITHOUT_WORKER, ...WHATSAPP });
    org = await parley.buildOrg();
    destination = await connectChat(parley, org, 'whatsapp');
    ({ id: policyId } = await savePolicy(org, { channel: 'whatsapp', destination }));
  });
  after(() => parley.stop());

  const post = async (body: string): Promise<number> => {
    const headers = { 'x-hub-signature-256': signWhatsappBody(body) };
    return (await fetch(`${parley.baseUrl}/hooks/whatsapp`, { method: 'POST', headers, body })).status;
  };
  const report = (value: object): Promise<number> => {
    const metadata = { phone_number_id: WHATSAPP.PARLEY_WHATSAPP_PHONE_NUMBER_ID };
    const changes = [{ field: 'messages', value: { metadata, ...value } }];
    return post(JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] }));
  };
  const write = (changes: object) => ({
    from: destination.slice(1),
    id: `wamid.${newId()}`,
    timestamp: String(Math.floor(Date.now() / 1000)),
    text: { body: 'Hello' },
    ...changes,
  });
  const countReceived = () => parley.database.repository(AlertInbound).count();
  const addAccepted = async (providerId: string | null): Promise<string> => {
    const id = newId();
    const row = { id, orgId: org.orgId, policyId, channel: 'whatsapp', destination, kind: 'test' } as const;
    await parley.database
      .repository(AlertMessage)
      .insert({ ...row, state: 'accepted', providerId, finishedAt: new Date() });
    return id;
  };
  const findMessage = (id: string) => parley.database.repository(AlertMessage).findOneByOrFail({ id });

  it('refuses a wrong signature and a wrong verify token with 403, and compares both in constant time', async () => {
    const compare = mock.method(crypto, 'timingSafeEqual');
    syncBuiltinESMExports();
    try {
      const headers = { 'x-hub-signature-256': signWhatsappBody('{"entry":[1]}') };
      const body = '{"entry":[]}';
      const refused = await fetch(`${parley.baseUrl}/hooks/whatsapp`, { method: 'POST', headers, body });
      const query = 'hub.mode=subscribe&hub.challenge=7&hub.verify_token=verify-token-of-other';
      const denied = await fetch(`${parley.baseUrl}/hooks/whatsapp?${query}`);
      assert.deepEqual([refused.status, denied.status], [403, 403]);
      const compared = compare.mock.calls.map(({ arguments: [, expected] }) =>
        (expected as Buffer).toString(),
      );
      assert.deepEqual(compared, [signWhatsappBody(body), WHATSAPP.PARLEY_WHATSAPP_VERIFY_TOKEN]);
    } finally {
      compare.mock.restore();
      syncBuiltinESMExports();
    }
  });

  const heavy: [what: string, body: string][] = [
    ['1.4 million nested lists', `{"entry":${'['.repeat(1_400_000)}${']'.repeat(1_400_000)}}`],
    ['900,000 empty objects', `{"entry":[${'{},'.repeat(900_000)}{}]}`],
    ['200,000 keys', `{${Array.from({ length: 200_000 }, (_, at) => `"k${at}":1`).join(',')}}`],
  ];
  for (const [what, body] of heavy)
    it(`refuses ${what} with 413, and blocks the event loop for less than 50 ms`, async () => {
      await assertLoopBlockedBelow(MAX_BLOCKED_MS, async () => assert.equal(await post(body), 413));
    });

  itInSoak('accepts the statuses of 7,000 messages, about 3 MB', async () => {
    const statuses = Array.from({ length: 7000 }, (_, at) => ({
      id: `wamid.${'x'.repeat(60)}${at}`,
      status: 'sent',
      timestamp: '1790000000',
      recipient_id: '351912345678',
      conversation: { id: `3${at}`, expiration_timestamp: '1790000000', origin: { type: 'utility' } },
      pricing: { billable: true, pricing_model: 'CBP', category: 'utility' },
      biz_opaque_callback_data: newId(),
    }));
    assert.equal(await report({ statuses }), 200);
  });

  const ids: [what: string, id: unknown][] = [
    [
      'characters that exceed an index of PostgreSQL',
      Array.from({ length: 1000 }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7919) % 20_000))).join(''),
    ],
    ['NUL', 'wamid.\u0000'],
    ['the wrong type', { toString: 1, valueOf: 1 }],
  ];
  for (const [what, id] of ids) {
    it(`ignores a message whose id has ${what}, and records the next message`, async () => {
      const before = await countReceived();
      assert.equal(await report({ messages: [write({ id }), write({})] }), 200);
      assert.equal((await countReceived()) - before, 1);
    });

    it(`ignores a status whose id has ${what}, and follows the next status`, async () => {
      const messageId = await addAccepted(null);
      const status = { status: 'delivered', biz_opaque_callback_data: messageId };
      assert.equal(await report({ statuses: [{ ...status, id }] }), 200);
      assert.equal((await findMessage(messageId)).state, 'accepted');
      const known = `wamid.${newId()}`;
      assert.equal(await report({ statuses: [{ ...status, id: known }] }), 200);
      const { state, providerId } = await findMessage(messageId);
      assert.deepEqual([state, providerId], ['delivered', known]);
    });
  }

  it('ignores a message whose timestamp is an object, and records the next message', async () => {
    const before = await countReceived();
    const timestamp = { toString: 1, valueOf: 1 };
    assert.equal(await report({ messages: [write({ timestamp }), write({})] }), 200);
    assert.equal((await countReceived()) - before, 1);
  });

  it('fails a message whose status has an error code of an unexpected type, with a short reason', async () => {
    const id = await addAccepted('wamid.failed');
    const errors = [{ code: { valueOf: 1, toString: 1 }, title: `Bad\u0000 ${'x'.repeat(100_000)}` }];
    assert.equal(await report({ statuses: [{ id: 'wamid.failed', status: 'failed', errors }] }), 200);
    const { reason } = await findMessage(id);
    assert.equal(reason, `WhatsApp rejects the account or its template: 0 (Bad ${'x'.repeat(196)}).`);
  });
});
