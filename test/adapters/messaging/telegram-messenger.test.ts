import assert from 'node:assert/strict';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import type { SendOutcome } from '../../../adapters/messaging/messenger.ts';
import { TelegramClient } from '../../../adapters/messaging/telegram-client.ts';
import { TelegramMessenger } from '../../../adapters/messaging/telegram-messenger.ts';
import { FakeTelegram } from '../../support/telegram.ts';

const CHAT = '42';

describe('TelegramMessenger.send', () => {
  const telegram = new FakeTelegram();
  const client = OutboundClient.createTrusted({ userAgent: 'Tests' });
  let messenger: TelegramMessenger;
  before(async () => {
    const { token } = telegram;
    messenger = new TelegramMessenger({
      client: new TelegramClient({ client, apiUrl: await telegram.start(), token }),
      token,
      perSecond: 25,
      timeoutMs: 5000,
    });
  });
  afterEach(() => telegram.scripts.clear());
  after(async () => {
    await client.close();
    await telegram.stop();
  });

  const send = (json: string): Promise<SendOutcome> => {
    telegram.scripts.set('sendMessage', json);
    const content = { lines: [[{ text: 'Hello' }]] };
    const message = { id: 'message-1', destination: CHAT, content, isWindowOpen: false };
    return messenger.send(message, new AbortController().signal);
  };
  const refusal = (fields: object) => JSON.stringify({ ok: false, error_code: 400, ...fields });

  it('returns the id of an accepted message', async () => {
    assert.deepEqual(await send('{"ok":true,"result":{"message_id":7}}'), {
      kind: 'accepted',
      providerId: '42/7',
    });
  });

  const withoutId: [what: string, result: string][] = [
    ['no result', 'null'],
    ['a result that is a text', '"7"'],
    ['a message_id with NUL', '{"message_id":"7\\u0000"}'],
    ['a message_id of 3 MB', `{"message_id":"${'7'.repeat(3_000_000)}"}`],
    ['a message_id that is an object', '{"message_id":{"toString":1}}'],
    ['a message_id that is not a safe integer', '{"message_id":1e300}'],
  ];
  for (const [what, result] of withoutId)
    it(`accepts a response with ${what}, without an id`, async () => {
      assert.deepEqual(await send(`{"ok":true,"result":${result}}`), { kind: 'accepted', providerId: null });
    });

  const waits: [retryAfter: string, waitMs: number][] = [
    ['3', 4000],
    ['1e300', 3_601_000],
    ['1e999', 3_601_000],
    ['-1e9', 1000],
    ['"3"', 2000],
    ['null', 2000],
  ];
  for (const [retryAfter, waitMs] of waits)
    it(`waits ${waitMs} ms for retry_after ${retryAfter}`, async () => {
      const json = `{"ok":false,"error_code":429,"parameters":{"retry_after":${retryAfter}}}`;
      const reason = 'Telegram is not accepting more messages at the moment.';
      assert.deepEqual(await send(json), { kind: 'later', reason, waitMs, mayBeDelivered: false });
    });

  it('truncates a description of 3.9 MB, and removes characters that PostgreSQL cannot store', async () => {
    const description = `Bad\u0000 ${'x'.repeat(3_900_000)}`;
    assert.deepEqual(await send(refusal({ description })), {
      kind: 'refused',
      reason: `Telegram rejected the message: Bad ${'x'.repeat(295)}`,
    });
  });

  it('ignores a description that is not a string and an error_code that is not a number', async () => {
    assert.deepEqual(await send(refusal({ description: { toString: 1 }, error_code: '403' })), {
      kind: 'refused',
      reason: 'Telegram rejected the message: Telegram responded with status 200.',
    });
  });

  const chats: [chat: string, moved: string | null][] = [
    ['-1001234567890', '-1001234567890'],
    ['"-1001234567890"', '-1001234567890'],
    ['"-100\\u0000"', null],
    ['1e300', null],
    ['{"toString":1}', null],
    [`"${'1'.repeat(1_000_000)}"`, null],
  ];
  for (const [chat, moved] of chats)
    it(`returns ${moved ? 'moved' : 'refused'} for migrate_to_chat_id ${chat.slice(0, 30)}`, async () => {
      const json = `{"ok":false,"error_code":400,"description":"Moved","parameters":{"migrate_to_chat_id":${chat}}}`;
      assert.deepEqual(
        await send(json),
        moved
          ? { kind: 'moved', destination: moved }
          : { kind: 'refused', reason: 'Telegram rejected the message: Moved' },
      );
    });

  const unread: [what: string, json: string][] = [
    ['900,000 lists', `{"ok":true,"result":[${'[],'.repeat(900_000)}0]}`],
    ['5 MB', `{"ok":true,"result":{"text":"${'x'.repeat(5_000_000)}"}}`],
  ];
  for (const [what, json] of unread)
    it(`accepts a response with ${what}, without parsing it`, async () => {
      assert.deepEqual(await send(json), { kind: 'accepted', providerId: null });
    });

  it('returns later with mayBeDelivered for a web page in place of JSON', async () => {
    assert.deepEqual(await send('<h1>Welcome to nginx!</h1>'), {
      kind: 'later',
      reason: 'Telegram’s response could not be read.',
      waitMs: null,
      mayBeDelivered: true,
    });
  });
});
