import assert from 'node:assert/strict';
import { AlertDestination } from '../../../entities/alerts/alert-destination.entity.ts';
import { startParley, type TestOrg, type TestParley } from '../../support/parley.ts';
import { recordStatements } from '../../support/statements.ts';
import { FakeTelegram, TELEGRAM_BOT } from '../../support/telegram.ts';
import { parseLinkCode } from '../../alerts/support.ts';

describe('Telegram updates', () => {
  let telegram: FakeTelegram;
  let parley: TestParley;
  let org: TestOrg;
  beforeEach(async () => {
    telegram = new FakeTelegram();
    parley = await startParley({
      telegramApiUrl: await telegram.start(),
      PARLEY_TELEGRAM_BOT_TOKEN: telegram.token,
      PARLEY_TELEGRAM_BOT_NAME: TELEGRAM_BOT,
    });
    org = await parley.buildOrg();
  });
  afterEach(async () => {
    await parley.stop();
    await telegram.stop();
  });

  const read = () =>
    parley.runtime.services.alerts.telegramUpdates.read(parley.database, new AbortController().signal);
  const startText = async () => {
    const { body } = await org.client.post('/api/alerts/telegram/connect', {});
    return `/start ${parseLinkCode(body.link)}`;
  };
  const listConnected = async () => {
    const rows = await parley.database
      .repository(AlertDestination)
      .find({ where: { orgId: org.orgId }, order: { destination: 'ASC' } });
    return rows.map(({ destination, name }) => [destination, name]);
  };
  const USED_UP = `/start ${'A'.repeat(43)}`;

  it('are skipped in one statement, however many strangers write', async () => {
    const text = await startText();
    for (let index = 0; index < 99; index += 1) telegram.say({ id: 1000 + index }, 'Hello');
    telegram.say({ id: 1, first_name: 'Ada' }, text);
    const statements = await recordStatements(parley, read);
    assert.deepEqual(await listConnected(), [['1', 'Ada']]);
    assert.ok(statements.length < 30, String(statements.length));
  });

  it('are read once: the next read begins after them', async () => {
    telegram.say({ id: 1, first_name: 'Ada' }, await startText());
    telegram.say({ id: 2 }, USED_UP);
    await read();
    await startText();
    telegram.say({ id: 3 }, 'Hello');
    await read();
    assert.deepEqual(
      telegram.sent.map(({ chatId }) => chatId),
      ['1', '2'],
    );
  });

  it('with used links are answered once per chat, and in ten chats at a time', async () => {
    const text = await startText();
    for (let index = 0; index < 40; index += 1) telegram.say({ id: 1000 + (index % 20) }, USED_UP);
    telegram.say({ id: 1, first_name: 'Ada' }, text);
    telegram.say({ id: 1, first_name: 'Ada' }, text);
    await read();
    assert.deepEqual(
      telegram.sent.map(({ chatId }) => chatId),
      ['1', ...Array.from({ length: 10 }, (_, index) => String(1000 + index))],
    );
    assert.deepEqual(telegram.getTextsTo('1'), [
      'This chat is connected and can now receive alerts from Acme.',
    ]);
  });

  const broken: [what: string, message: unknown, changes?: object][] = [
    ['no message', undefined],
    ['null', null],
    ['a text', 'Hello'],
    ['no chat', { message_id: 1, text: USED_UP }],
    ['a chat without a number', { message_id: 1, text: USED_UP, chat: { id: { a: 1 } } }],
    ['a malformed text', { message_id: 1, text: { a: 1 }, chat: { id: 1 } }],
    ['an object as its message_id', { message_id: { toString: 1 }, text: USED_UP, chat: { id: 1 } }],
    ['an object as a name', { message_id: 1, text: USED_UP, chat: { id: 7, title: { toString: 1 } } }],
    ['no update number', { message_id: 1, text: 'Hello', chat: { id: 1 } }, { update_id: 'x' }],
  ];
  for (const [what, message, changes] of broken)
    it(`are read after an update with ${what}`, async () => {
      telegram.push(message, changes);
      telegram.say({ id: 1, first_name: 'Ada' }, await startText());
      assert.equal((await read()).fault, null);
      assert.deepEqual(await listConnected(), [['1', 'Ada']]);
    });

  it('return a fault if none of them has a number, so that reading pauses', async () => {
    await startText();
    telegram.push({ text: 'Hello' }, { update_id: null });
    const { fault, isAnyExpected } = await read();
    assert.deepEqual([fault, isAnyExpected], ['Telegram: Telegram’s updates could not be read.', true]);
  });

  it('are read in smaller parts if a hundred long messages exceed 4 MB', async () => {
    const text = '\u00e4'.repeat(25_000);
    for (let id = 1000; id < 1100; id += 1) telegram.say({ id }, text);
    telegram.say({ id: 1, first_name: 'Ada' }, await startText());
    for (let reads = 0; reads < 20 && (await listConnected()).length === 0; reads += 1)
      assert.equal((await read()).fault, null);
    assert.deepEqual(await listConnected(), [['1', 'Ada']]);
  });

  const unreadable: [what: string, result: string][] = [
    ['a text', '"Hello"'],
    ['1.9 million numbers', `[${'1,'.repeat(1_900_000)}1]`],
    ['thousands of levels', '['.repeat(5000) + ']'.repeat(5000)],
    ['thousands of keys', `[{${Array.from({ length: 5000 }, (_, at) => `"k${at}":1`).join(',')}}]`],
  ];
  for (const [what, result] of unreadable)
    it(`return a fault if the response is ${what}`, async () => {
      await startText();
      telegram.scripts.set('getUpdates', `{"ok":true,"result":${result}}`);
      const { isAnyExpected, waitMs } = await read();
      assert.deepEqual([isAnyExpected, waitMs], [true, 5000]);
    });

  const pauses: [retryAfter: string, waitMs: number][] = [
    ['3', 4000],
    ['1e300', 3_601_000],
    ['-1e9', 1000],
    ['null', 5000],
  ];
  for (const [retryAfter, expectedMs] of pauses)
    it(`are read again after ${expectedMs} ms if retry_after is ${retryAfter}`, async () => {
      await startText();
      const parameters = `{"retry_after":${retryAfter}}`;
      const json = `{"ok":false,"error_code":429,"description":"Slow","parameters":${parameters}}`;
      telegram.scripts.set('getUpdates', json);
      const { fault, waitMs } = await read();
      assert.deepEqual([fault, waitMs], ['Telegram: Slow', expectedMs]);
    });

  it('connect a chat whose name contains characters that cannot be stored', async () => {
    const from = { id: 1, first_name: 'A\u0000da\ud800', last_name: 'x'.repeat(500) };
    telegram.say(from, await startText());
    await read();
    assert.deepEqual(await listConnected(), [['1', `Ada\ufffd ${'x'.repeat(195)}`]]);
  });
});
