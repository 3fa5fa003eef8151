import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exitCodes } from '../../sdk/typescript/src/cli/run.ts';
import { FaultyProxy, type Fault } from '../support/faulty-proxy.ts';
import { buildPng } from '../support/images.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import { terminal } from './command-line.ts';

describe('The command line `parley` in trouble', () => {
  let parley: TestParley;
  before(async () => {
    // Nobody is where the model should be.
    parley = await startParley({
      PARLEY_MODEL_BASE_URL: 'http://127.0.0.1:9/v1',
      PARLEY_MODEL: 'test-model',
    });
  });
  after(() => parley.stop());

  async function atWork(url = parley.baseUrl) {
    const { key, ...org } = await buildActiveBot(parley);
    return { ...org, key, ...terminal({ PARLEY_URL: url, PARLEY_API_KEY: key }) };
  }

  async function behind<T>(faults: readonly Fault[], use: (proxy: FaultyProxy) => Promise<T>): Promise<T> {
    const proxy = await FaultyProxy.start(parley.baseUrl, faults);
    try {
      return await use(proxy);
    } finally {
      await proxy.stop();
    }
  }

  it('writes files as they are, and ends text with a line', async () => {
    const { run, json, bot, home } = await atWork();
    writeFileSync(join(home, 'avatar.png'), buildPng(8, 8));
    const file = ['--file', join(home, 'avatar.png')];
    const { widget_theme: theme } = await json(['api', 'uploadBotAvatar', bot.id, ...file]);
    const { pathname } = new URL(theme['avatar_url']);
    const image = Buffer.from(await (await parley.client().fetch(pathname)).arrayBuffer());
    const chunks: Buffer[] = [];
    const read = (written: string | Uint8Array) => void chunks.push(Buffer.from(written));
    await run(['api', 'getPublicAsset', pathname.split('/').at(-1) ?? ''], { read });
    assert.deepEqual(Buffer.concat(chunks), image);
    assert.match((await run(['api', 'getBot', bot.id])).out, /\}\n$/);
    assert.match((await run(['api', 'exportContacts'])).out, /[^\n]\r?\n$/);
  });

  it('writes where a browser is sent to, and takes no other redirect for an answer', async () => {
    const { run } = await atWork();
    const sent = await run(['api', 'calendarCallback', 'google', '--query', 'state=nothing']);
    assert.deepEqual([sent.code, sent.err], [exitCodes.done, '']);
    assert.match(sent.out, /^\S+\?result=\w+\n$/);
    const moved = { kind: 'answer', status: 301, headers: { location: 'https://parley.test/' } } as const;
    await behind([moved], async ({ url }) => {
      const { code, out } = await (await atWork(url)).run(['api', 'listBots']);
      assert.deepEqual([code, out], [exitCodes.refused, '']);
    });
  });

  it('says why a bot could not answer', async () => {
    const { run, bot } = await atWork();
    const asked = await run(['ask', bot.id, 'What does a day pass cost?']);
    const { code, out, err } = await run(['ask', bot.id, 'What does a day pass cost?', '--json']);
    const reply = JSON.parse(out) as { error: { message: string } };
    assert.deepEqual([code, err], [exitCodes.refused, `${reply.error.message}\n`]);
    assert.deepEqual([asked.code, asked.err], [exitCodes.refused, err]);
  });

  it('waits for deliveries while Parley is away, and writes what was made meanwhile', async () => {
    const { client, key } = await atWork();
    const webhook = { url: 'http://127.0.0.1:9/hook', events: ['document.indexed'] };
    const { id } = (await client.post('/api/webhooks', webhook)).body;
    const away = { kind: 'answer', status: 503, headers: { 'retry-after': '0' } } as const;
    // Each look is repeated twice.
    const faults: Fault[] = [{ kind: 'pass' }, ...Array.from({ length: 6 }, () => away)];
    await behind(faults, async ({ url }) => {
      const { run } = terminal({ PARLEY_URL: url, PARLEY_API_KEY: key });
      let made: Promise<unknown> | undefined;
      const heard = (text: string) => {
        if (text.includes('503')) made = client.post(`/api/webhooks/${id}/test`);
      };
      const { code, out, err } = await run(['webhooks', 'tail', '--limit', '1'], { heard });
      await made;
      assert.equal(code, exitCodes.done, err);
      assert.match(out, /^\S+Z {2}document\.indexed {2}/);
      assert.equal(
        err,
        'Waits for deliveries.\nThe server answered with the status 503. Asks again until Parley is back.\n',
      );
    });
  });

  it('serves tools: fails a request whose response never comes', async () => {
    const stream = { 'content-type': 'text/event-stream' };
    const told = 'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\n\n';
    const response = 'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n';
    const line = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const messages = (fault: Fault) =>
      behind([fault], async ({ url }) => {
        const { out } = await (await atWork(url)).run(['mcp'], { piped: line });
        return out.split('\n').filter(Boolean);
      });
    const failure = (message: string) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message } });
    const answer = (headers: Record<string, string>, body: string) =>
      messages({ kind: 'answer', status: 200, headers, body });
    assert.deepEqual(await answer(stream, told), [
      '{"jsonrpc":"2.0","method":"notifications/message"}',
      failure('The stream ended without the response.'),
    ]);
    assert.deepEqual(await answer(stream, response), ['{"jsonrpc":"2.0","id":1,"result":{}}']);
    assert.deepEqual(await answer({ 'content-type': 'text/html' }, '<h1>'), [failure('HTTP 200')]);
  });

  it('explains one command, or those that begin alike', async () => {
    const { run } = terminal({});
    const whole = await run(['--help']);
    for (const args of [['-h'], ['help'], []]) assert.deepEqual(await run(args), whole, args.join(' '));
    const list = '  parley bots list\n      All bots.\n';
    for (const flag of ['--help', '-h'])
      assert.deepEqual(await run(['bots', 'list', flag]), { code: exitCodes.done, out: list, err: '' });
    assert.match((await run(['bots', 'get', '--help'])).out, /^ {2}parley bots get <bot_id>\n/);
    const bots = await run(['bots', '--help']);
    assert.equal(bots.code, exitCodes.done);
    assert.match(bots.out, /^ {2}parley bots list\n[^]* {2}parley bots create <name>/);
    const { code, err } = await run(['bots']);
    assert.deepEqual([code, err], [exitCodes.usage, `There is no command bots; there are\n${bots.out}`]);
    assert.equal((await run(['bot'])).err, 'There is no command bot; see parley --help.\n');
  });

  it('takes an empty address for none, and says which file is broken', async () => {
    const { key, bot } = await buildActiveBot(parley);
    const { run, home } = terminal({ PARLEY_URL: '', PARLEY_API_KEY: '' });
    const file = join(home, '.config/parley/credentials.json');
    mkdirSync(dirname(file), { recursive: true });
    const keep = (text: string) => writeFileSync(file, text, { mode: 0o600 });
    keep(JSON.stringify({ url: parley.baseUrl, api_key: key }));
    assert.equal((await run(['bots', 'list'])).out, `${bot.id}  active  Help desk\n`);
    keep('url: here');
    const broken = { code: exitCodes.usage, out: '', err: `${file} is not JSON.\n` };
    assert.deepEqual(await run(['bots', 'list']), broken);
    keep('"here"');
    assert.equal((await run(['bots', 'list'])).code, exitCodes.usage);
    assert.equal((await run(['login'], { piped: key })).code, exitCodes.done);
  });
});
