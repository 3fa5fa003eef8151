import assert from 'node:assert/strict';
import { AlertDestination } from '../../entities/alerts/alert-destination.entity.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { recordStatements } from '../support/statements.ts';
import { FakeTelegram, TELEGRAM_BOT } from '../support/telegram.ts';
import { codeIn } from './support.ts';

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
    return `/start ${codeIn(body.link)}`;
  };
  const connected = async () => {
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
    const statements = await recordStatements(read);
    assert.deepEqual(await connected(), [['1', 'Ada']]);
    assert.ok(statements.length < 30, String(statements.length));
  });

  it('with used links are answered once a chat, and for ten chats at a time', async () => {
    const text = await startText();
    for (let index = 0; index < 40; index += 1) telegram.say({ id: 1000 + (index % 20) }, USED_UP);
    telegram.say({ id: 1, first_name: 'Ada' }, text);
    telegram.say({ id: 1, first_name: 'Ada' }, text);
    await read();
    assert.deepEqual(
      telegram.sent.map(({ chatId }) => chatId),
      ['1', ...Array.from({ length: 10 }, (_, index) => String(1000 + index))],
    );
    assert.deepEqual(telegram.getTextsTo('1'), ['This chat is connected: it can get alerts from Acme now.']);
  });

  const broken: [what: string, message: unknown, changes?: object][] = [
    ['no message', undefined],
    ['null', null],
    ['a text', 'Hello'],
    ['no chat', { message_id: 1, text: USED_UP }],
    ['a chat without a number', { message_id: 1, text: USED_UP, chat: { id: { a: 1 } } }],
    ['a malformed text', { message_id: 1, text: { a: 1 }, chat: { id: 1 } }],
    ['no update number', { message_id: 1, text: 'Hello', chat: { id: 1 } }, { update_id: 'x' }],
  ];
  for (const [what, message, changes] of broken)
    it(`are read on after one with ${what}`, async () => {
      telegram.push(message, changes);
      telegram.say({ id: 1, first_name: 'Ada' }, await startText());
      assert.equal((await read()).fault, null);
      assert.deepEqual(await connected(), [['1', 'Ada']]);
    });

  it('report a fault if none has a number, so that reading pauses', async () => {
    await startText();
    telegram.push({ text: 'Hello' }, { update_id: null });
    const { fault, isAnyExpected } = await read();
    assert.deepEqual([fault, isAnyExpected], ['Telegram: Telegram’s updates could not be read.', true]);
  });

  it('connect a chat whose name contains characters that cannot be stored', async () => {
    const from = { id: 1, first_name: 'A\u0000da\ud800', last_name: 'x'.repeat(500) };
    telegram.say(from, await startText());
    await read();
    assert.deepEqual(await connected(), [['1', `Ada\ufffd ${'x'.repeat(195)}`]]);
  });
});
