import assert from 'node:assert/strict';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import type { SendOutcome } from '../../../adapters/messaging/messenger.ts';
import { WhatsappMessenger } from '../../../adapters/messaging/whatsapp-messenger.ts';
import { FakeWhatsapp, WHATSAPP } from '../../support/whatsapp.ts';

const NUMBER = '351912345678';

describe('WhatsappMessenger.send', () => {
  const whatsapp = new FakeWhatsapp();
  const client = OutboundClient.createTrusted({ userAgent: 'Tests' });
  let messenger: WhatsappMessenger;
  before(async () => {
    messenger = new WhatsappMessenger({
      client,
      apiUrl: await whatsapp.start(),
      token: WHATSAPP.PARLEY_WHATSAPP_TOKEN,
      phoneNumberId: WHATSAPP.PARLEY_WHATSAPP_PHONE_NUMBER_ID,
      template: 'parley_alert',
      codeTemplate: 'parley_code',
      languages: ['en'],
      perSecond: 50,
      timeoutMs: 5000,
    });
  });
  after(async () => {
    await client.close();
    await whatsapp.stop();
  });

  const send = (status: number, json: string): Promise<SendOutcome> => {
    whatsapp.scripts.set(NUMBER, { status, json });
    const content = { lines: [[{ text: 'Hello' }]] };
    const message = { id: 'message-1', destination: `+${NUMBER}`, content, isWindowOpen: true };
    return messenger.send(message, new AbortController().signal);
  };
  const refuse = (error: string) => send(400, `{"error":${error}}`);

  it('returns the id of an accepted message', async () => {
    assert.deepEqual(await send(200, '{"messages":[{"id":"wamid.1"}]}'), {
      kind: 'accepted',
      providerId: 'wamid.1',
    });
  });

  const withoutId: [what: string, id: string][] = [
    ['NUL', '"wamid.\\u0000"'],
    ['900 KB', `"${'w'.repeat(900_000)}"`],
    ['256 characters', `"${'w'.repeat(256)}"`],
    ['no characters', '""'],
    ['the wrong type', '5'],
  ];
  for (const [what, id] of withoutId)
    it(`accepts a response whose id has ${what}, without the id`, async () => {
      assert.deepEqual(await send(200, `{"messages":[{"id":${id}}]}`), {
        kind: 'accepted',
        providerId: null,
      });
    });

  for (const json of ['{}', '{"messages":[]}', '{"messages":[5]}', '{"messages":{"0":{"id":"wamid.1"}}}'])
    it(`returns later with mayBeDelivered for ${json}`, async () => {
      const reason = 'WhatsApp responded with status 200.';
      assert.deepEqual(await send(200, json), { kind: 'later', reason, waitMs: null, mayBeDelivered: true });
    });

  const unread: [what: string, json: string][] = [
    ['300,000 lists', `{"messages":[{"id":"wamid.1"}],"a":[${'[],'.repeat(300_000)}0]}`],
    ['2 MB', `{"messages":[{"id":"wamid.1"}],"a":"${'x'.repeat(2_000_000)}"}`],
  ];
  for (const [what, json] of unread)
    it(`accepts a response with ${what}, without parsing it`, async () => {
      assert.deepEqual(await send(200, json), { kind: 'accepted', providerId: null });
    });

  it('returns later with mayBeDelivered for a web page in place of JSON', async () => {
    const reason = 'WhatsApp responded with status 200.';
    assert.deepEqual(await send(200, '<h1>Welcome to nginx!</h1>'), {
      kind: 'later',
      reason,
      waitMs: null,
      mayBeDelivered: true,
    });
  });

  it('ignores a message that is not a string', async () => {
    assert.deepEqual(await refuse('{"code":33,"message":5}'), {
      kind: 'refused',
      reason: 'WhatsApp rejected the message: 33.',
    });
  });

  it('truncates details, and removes characters that PostgreSQL cannot store', async () => {
    const details = JSON.stringify(`Bad\u0000 ${'x'.repeat(800_000)}`);
    assert.deepEqual(await refuse(`{"code":33,"error_data":{"details":${details}}}`), {
      kind: 'refused',
      reason: `WhatsApp rejected the message: 33 (Bad ${'x'.repeat(196)}).`,
    });
  });

  for (const code of [`"${'9'.repeat(900_000)}"`, '1.5', '1e300', '{"toString":1}', 'null'])
    it(`classifies a refusal by its status if the code is ${code.slice(0, 20)}`, async () => {
      const reason = 'WhatsApp responded with status 400.';
      assert.deepEqual(await refuse(`{"code":${code}}`), {
        kind: 'later',
        reason,
        waitMs: null,
        mayBeDelivered: false,
      });
    });

  it('classifies a refusal of 300,000 lists by its status, without parsing it', async () => {
    const reason = 'WhatsApp responded with status 400.';
    assert.deepEqual(await refuse(`{"code":190,"a":[${'[],'.repeat(300_000)}0]}`), {
      kind: 'later',
      reason,
      waitMs: null,
      mayBeDelivered: false,
    });
  });
});
