import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exitCodes } from '../../sdk/typescript/src/cli/exit-codes.ts';
import { FaultyProxy, type Fault } from '../support/faulty-proxy.ts';
import { buildPng } from '../support/images.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import { terminal } from './command-line.ts';

describe('`parley` under faults', () => {
  let parley: TestParley;
  before(async () => {
    // Configure a language model at an address where no server listens.
    parley = await startParley({
      PARLEY_MODEL_BASE_URL: 'http://127.0.0.1:9/v1',
      PARLEY_MODEL: 'test-model',
    });
  });
  after(() => parley.stop());

  async function buildTerminal(url = parley.baseUrl) {
    const { key, ...org } = await buildActiveBot(parley);
    return { ...org, key, ...terminal({ PARLEY_URL: url, PARLEY_API_KEY: key }) };
  }

  async function runBehindProxy<T>(
    faults: readonly Fault[],
    use: (proxy: FaultyProxy) => Promise<T>,
  ): Promise<T> {
    const proxy = await FaultyProxy.start(parley.baseUrl, faults);
    try {
      return await use(proxy);
    } finally {
      await proxy.stop();
    }
  }

  it('writes files unchanged, and ends other output with a newline', async () => {
    const { run, json, bot, home } = await buildTerminal();
    writeFileSync(join(home, 'avatar.png'), buildPng(8, 8));
    const file = ['--file', join(home, 'avatar.png')];
    const { widget_theme: theme } = await json(['api', 'uploadBotAvatar', bot.id, ...file]);
    const { pathname } = new URL(theme['avatar_url']);
    const image = Buffer.from(await (await parley.client().fetch(pathname)).arrayBuffer());
    const chunks: Buffer[] = [];
    const recordWritten = (written: string | Uint8Array) => void chunks.push(Buffer.from(written));
    await run(['api', 'getPublicAsset', pathname.split('/').at(-1) ?? ''], { read: recordWritten });
    assert.deepEqual(Buffer.concat(chunks), image);
    assert.match((await run(['api', 'getBot', bot.id])).out, /\}\n$/);
    assert.match((await run(['api', 'exportContacts'])).out, /[^\n]\r?\n$/);
  });

  it('suggests a command or an option after a rejected request', async () => {
    const { run, bot, home } = await buildTerminal();
    const unknown = '00000000-0000-7000-8000-000000000000';
    writeFileSync(join(home, 'empty.txt'), '');
    const expected: [args: string[], message: string, code: number][] = [
      [['bots', 'show', unknown], 'There is no such bot. (not_found, …) See parley bots list.', 4],
      [
        ['bots', 'show', 'x'],
        'bot_id must be a UUID, not "x" (validation_error, …) See parley bots list.',
        1,
      ],
      [
        ['knowledge', 'status', bot.id, unknown],
        'There is no such document. (not_found, …) See parley knowledge list <bot_id>.',
        4,
      ],
      [
        ['conversations', 'get', unknown],
        'There is no such conversation. (not_found, …) See parley conversations list.',
        4,
      ],
      [
        ['webhooks', 'test', unknown],
        'There is no such webhook. (not_found, …) See parley webhooks list.',
        4,
      ],
      [
        ['webhooks', 'replay', unknown],
        'There is no such delivery. (not_found, …) See parley webhooks deliveries.',
        4,
      ],
      [
        ['flows', 'pull', unknown, 'f.json'],
        'There is no such flow. (not_found, …) See parley api listFlows.',
        4,
      ],
      [['api', 'createBot'], '(body) is required (validation_error, …) Add --body <json | @file | ->.', 1],
      [
        ['api', 'uploadDocument', bot.id],
        'Send the file in the field file of a multipart/form-data body. (unsupported_media_type, …) Add --file <file>.',
        1,
      ],
      [
        ['knowledge', 'add', bot.id, join(home, 'empty.txt')],
        `${join(home, 'empty.txt')}: file is empty (empty.txt) (validation_error, …)`,
        1,
      ],
      [
        ['bots', 'show', ''],
        'bot_id of getBot is "", so no request was sent. Is its variable set?',
        exitCodes.usage,
      ],
    ];
    for (const [args, message, code] of expected) {
      const result = await run(args);
      assert.deepEqual([result.err.replace(/req_\w+/, '…'), result.code], [`${message}\n`, code]);
    }
  });

  it('names PARLEY_URL if the server sends a response that is not from Parley', async () => {
    const lists = [
      ['flows', 'list'],
      ['bots', 'list'],
      ['conversations', 'list'],
      ['webhooks', 'list'],
      ['webhooks', 'deliveries'],
      ['knowledge', 'list', 'b1'],
      ['test-sets', 'list', 'b1'],
      ['conversations', 'get', 'c1'],
    ];
    for (const body of [
      '{}',
      'null',
      '"text"',
      '{"items":{}}',
      '{"items":[null],"next_cursor":null}',
      '[null]',
    ])
      for (const args of lists) {
        const answers = Array.from({ length: 3 }, (): Fault => ({ kind: 'answer', status: 200, body }));
        const { code, out, err } = await runBehindProxy(answers, ({ url }) =>
          terminal({ PARLEY_URL: url, PARLEY_API_KEY: 'key' }).run(args),
        );
        const message = err.replace(/http:\S+|the server/, '…');
        assert.deepEqual(
          { code, out, message },
          {
            code: exitCodes.refused,
            out: '',
            message:
              'The response from … is not a Parley response. Check that PARLEY_URL is the URL of Parley.\n',
          },
          `${args.join(' ')}: ${body}`,
        );
      }
  });

  it('prints the target of an operation’s own redirect, and refuses any other redirect', async () => {
    const { run } = await buildTerminal();
    const sent = await run(['api', 'calendarCallback', 'google', '--query', 'state=nothing']);
    assert.deepEqual([sent.code, sent.err], [exitCodes.done, '']);
    assert.match(sent.out, /^\S+\?result=\w+\n$/);
    const moved = { kind: 'answer', status: 301, headers: { location: 'https://parley.test/' } } as const;
    await runBehindProxy([moved], async ({ url }) => {
      const { code, out } = await (await buildTerminal(url)).run(['api', 'listBots']);
      assert.deepEqual([code, out], [exitCodes.refused, '']);
    });
  });

  it('explains why a bot could not answer', async () => {
    const { run, bot } = await buildTerminal();
    const asked = await run(['ask', bot.id, 'What does a day pass cost?']);
    const { code, out, err } = await run(['ask', bot.id, 'What does a day pass cost?', '--json']);
    const reply = JSON.parse(out) as { error: { message: string } };
    assert.deepEqual([code, err], [exitCodes.refused, `${reply.error.message}\n`]);
    assert.deepEqual([asked.code, asked.err], [exitCodes.refused, err]);
  });

  it('says that it waits for the rate limit, and how long', async () => {
    const { key, bot } = await buildTerminal();
    const limited = { kind: 'answer', status: 429, headers: { 'retry-after': '1' } } as const;
    await runBehindProxy([limited], async ({ url }) => {
      const { run } = terminal({ PARLEY_URL: url, PARLEY_API_KEY: key });
      assert.deepEqual(await run(['test-sets', 'list', bot.id]), {
        code: exitCodes.done,
        out: '',
        err: 'The server responded with status 429. Retrying in 1 s.\n',
      });
    });
  });

  itInSoak(
    'waits for deliveries through an outage, and then prints the deliveries made meanwhile',
    async () => {
      const { client, key } = await buildTerminal();
      const webhook = { url: 'http://127.0.0.1:9/hook', events: ['document.indexed'] };
      const { id } = (await client.post('/api/webhooks', webhook)).body;
      const unavailable = { kind: 'answer', status: 503, headers: { 'retry-after': '0' } } as const;
      // The command retries each poll twice.
      const passes: Fault[] = [{ kind: 'pass' }, { kind: 'pass' }];
      const faults: Fault[] = [...passes, ...Array.from({ length: 6 }, () => unavailable)];
      await runBehindProxy(faults, async ({ url }) => {
        const { run } = terminal({ PARLEY_URL: url, PARLEY_API_KEY: key });
        let made: Promise<unknown> | undefined;
        const onStderr = (text: string) => {
          if (text.includes('503')) made = client.post(`/api/webhooks/${id}/test`);
        };
        const { code, out, err } = await run(['webhooks', 'tail', '--limit', '1'], { heard: onStderr });
        await made;
        assert.equal(code, exitCodes.done, err);
        assert.match(out, /^\S+Z {2}document\.indexed {2}/);
        assert.equal(
          err,
          'Waiting for deliveries.\nThe server responded with status 503. Retrying until Parley is back.\n',
        );
      });
    },
  );

  itInSoak('reports the failure of a request of `serve tools` whose response never arrives', async () => {
    const stream = { 'content-type': 'text/event-stream' };
    const notification = 'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\n\n';
    const response = 'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n';
    const line = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const exchangeMessages = (fault: Fault) =>
      runBehindProxy([fault], async ({ url }) => {
        const { out } = await (await buildTerminal(url)).run(['mcp'], { piped: line });
        return out.split('\n').filter(Boolean);
      });
    const failWith = (message: string) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message } });
    const answerWith = (headers: Record<string, string>, body: string) =>
      exchangeMessages({ kind: 'answer', status: 200, headers, body });
    assert.deepEqual(await answerWith(stream, notification), [
      '{"jsonrpc":"2.0","method":"notifications/message"}',
      failWith('The stream ended without the response.'),
    ]);
    assert.deepEqual(await answerWith(stream, response), ['{"jsonrpc":"2.0","id":1,"result":{}}']);
    const [page = ''] = await answerWith({ 'content-type': 'text/html' }, '<h1>');
    assert.equal(
      page.replace(/http:\S+/, '…'),
      failWith('The response from … is not a Parley response. Check that PARLEY_URL is the URL of Parley.'),
    );
  });

  it('stops `knowledge add` and `knowledge sync` when a quota is reached, and prints what they have sent', async () => {
    const { bot, key, home } = await buildTerminal();
    const folder = join(home, 'docs');
    mkdirSync(folder);
    for (const name of ['a.md', 'b.md', 'c.md']) writeFileSync(join(folder, name), `# ${name}`);
    const full = {
      kind: 'answer',
      status: 402,
      body: '{"error":{"code":"quota_exceeded","message":"The plan has no room."}}',
    } as const;
    const added = await runBehindProxy([{ kind: 'pass' }, full], ({ url }) =>
      terminal({ PARLEY_URL: url, PARLEY_API_KEY: key }).run(['knowledge', 'add', bot.id, folder, '--json']),
    );
    assert.deepEqual(
      [added.code, added.err],
      [exitCodes.refused, 'The plan has no room. (quota_exceeded)\n'],
    );
    assert.equal((JSON.parse(added.out) as object[]).length, 1);
    const lists = Array.from({ length: 2 }, (): Fault => ({ kind: 'pass' }));
    const synced = await runBehindProxy([...lists, { kind: 'pass' }, full], ({ url }) =>
      terminal({ PARLEY_URL: url, PARLEY_API_KEY: key }).run(['knowledge', 'sync', bot.id, folder]),
    );
    assert.deepEqual(synced, {
      code: exitCodes.refused,
      out: 'added     a.md\n',
      err: 'The plan has no room. (quota_exceeded)\n',
    });
  });

  it('explains with --help a single command, or all commands with a common prefix', async () => {
    const { run } = terminal({});
    const whole = await run(['--help']);
    for (const args of [['-h'], ['help'], []]) assert.deepEqual(await run(args), whole, args.join(' '));
    const list = await run(['bots', 'list', '--help']);
    assert.match(
      list.out,
      /^ {2}parley bots list\n {6}List all bots\.\n\nOptions:\n {2}--json  Write JSON\.\n {2}--help  .+\n\nExit codes:\n/,
    );
    assert.deepEqual(await run(['bots', 'list', '-h']), list);
    assert.match((await run(['bots', 'get', '--help'])).out, /^ {2}parley bots show <bot_id>\n/);
    const bots = await run(['bots', '--help']);
    assert.equal(bots.code, exitCodes.done);
    assert.match(bots.out, /^ {2}parley bots list\n[^]* {2}parley bots create <name>/);
    const { code, err } = await run(['bots']);
    assert.equal(code, exitCodes.usage);
    const [firstLine = '', names = ''] = err.split(/\n(.*)/s);
    assert.deepEqual([firstLine, bots.out.startsWith(names)], ['Specify a command of parley bots:', true]);
    assert.equal(
      (await run(['bot'])).err,
      'There is no command bot. Did you mean parley bots? See parley --help.\n',
    );
  });

  it('uses the stored address if PARLEY_URL is empty, and names a malformed credentials file', async () => {
    const { key, bot } = await buildActiveBot(parley);
    const { run, home } = terminal({ PARLEY_URL: '', PARLEY_API_KEY: '' });
    const file = join(home, '.config/parley/credentials.json');
    mkdirSync(dirname(file), { recursive: true });
    const storeCredentials = (text: string) => writeFileSync(file, text, { mode: 0o600 });
    storeCredentials(JSON.stringify({ url: parley.baseUrl, api_key: key }));
    assert.equal((await run(['bots', 'list'])).out, `${bot.id}  active  Help desk\n`);
    storeCredentials('url: here');
    const broken = {
      code: exitCodes.usage,
      out: '',
      err: `${file} is not JSON: ${readSyntaxError('url: here')}.\n`,
    };
    assert.deepEqual(await run(['bots', 'list']), broken);
    storeCredentials('"here"');
    assert.equal((await run(['bots', 'list'])).code, exitCodes.usage);
    const addressed = terminal({ PARLEY_URL: parley.baseUrl }, home);
    assert.equal((await addressed.run(['login'], { piped: key })).code, exitCodes.done);
  });
});

/** Returns the message of the running version of Node.js for text that is not JSON. */
function readSyntaxError(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch (error) {
    return (error as Error).message;
  }
}
