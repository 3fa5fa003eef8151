import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '../../sdk/typescript/src/index.ts';
import { exitCodes } from '../../sdk/typescript/src/cli/exit-codes.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { findFreePort } from '../support/python-tool.ts';
import { waitUntil } from '../support/wait-until.ts';
import { buildSession } from '../support/widget.ts';
import { startSharedParleyWithWorker, type SharedParleyWithWorker } from '../support/worker.ts';
import { terminal } from './command-line.ts';

const UNKNOWN = '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b';

interface BridgedMessage {
  id: number | null;
  result?: {
    protocolVersion?: string;
    structuredContent?: { bots?: { id: string }[]; bot?: { id: string } };
  };
  error?: { code: number };
}

describe('`parley`', () => {
  let parley: SharedParleyWithWorker;
  before(async () => {
    parley = await startSharedParleyWithWorker();
  });

  let waiting = 0;
  const onStderr = (text: string) => void (waiting += text.startsWith('Waiting') ? 1 : 0);
  /** Resolves when one more command waits for webhook deliveries. */
  const waitUntilListening = () => {
    const before = waiting;
    return waitUntil(() => waiting > before, 'the command to wait');
  };

  async function buildTerminal() {
    const { key, ...org } = await buildSession(parley);
    return { ...org, key, ...terminal({ PARLEY_URL: parley.baseUrl, PARLEY_API_KEY: key }) };
  }

  it('creates bots, and prints them as columns or as JSON', async () => {
    const { run, json, bot } = await buildTerminal();
    const made = await run(['bots', 'create', 'Harbour Bikes', '--active']);
    const id = made.out.trim();
    assert.deepEqual(await run(['bots', 'list']), {
      code: 0,
      out: `${id}  active  Harbour Bikes\n${bot.id}  active  Help desk\n`,
      err: '',
    });
    const { name, status } = await json(['bots', 'get', id]);
    assert.deepEqual([name, status], ['Harbour Bikes', 'active']);
  });

  it('prints conversations and their messages', async () => {
    const { run, session, visitor, path } = await buildTerminal();
    await visitor.post(`${path}/messages`, { content: 'Hello' });
    const listed = await run(['conversations', 'list', '--limit', '1', '--status', 'active']);
    assert.match(listed.out, new RegExp(`^${session.session_id}  active  .+  Help desk  .+  Hello\n$`));
    const said = await run(['conversations', 'get', session.session_id]);
    assert.match(said.out, /^user: Hello\nassistant: /);
    const wrong = await run(['conversations', 'list', '--limit', 'none']);
    assert.deepEqual(
      [wrong.code, wrong.err],
      [exitCodes.usage, '--limit must be a whole number of at least 1, not none.\n'],
    );
  });

  it('calls any operation by its id', async () => {
    const { run, bot, session, home } = await buildTerminal();
    const runCall = async (args: string[], piped = '') => {
      const { code, out, err } = await run(['api', ...args], { piped });
      assert.equal(code, 0, err);
      return JSON.parse(out) as never;
    };
    const { name } = await runCall(['getBot', bot.id]);
    assert.equal(name, 'Help desk');
    const { page_size: size } = await runCall([
      'listBots',
      '--query',
      'page_size=1',
      '--query',
      'status=active',
    ]);
    assert.equal(size, 1);
    const created = await runCall(['createBot', '--body', '-'], '{"name": "Piped"}');
    assert.equal(created['name'], 'Piped');
    writeFileSync(join(home, 'a.md'), '# A');
    const upload = ['uploadDocument', bot.id, '--file', join(home, 'a.md'), '--body', '{"title": "A file"}'];
    const uploaded = await runCall(upload);
    assert.equal(uploaded['title'], 'A file');
    const token = ['--visitor-token', session.visitor_token];
    const opened = await runCall(['getWidgetSession', session.session_id, ...token]);
    assert.equal(opened['status'], 'active');
  });

  itInSoak('prints deliveries as they are made, and forwards each with its signature', async () => {
    const { run, json, client } = await buildTerminal();
    const webhook = { url: 'http://127.0.0.1:9/hook', events: ['document.indexed'] };
    const { id } = (await client.post('/api/webhooks', webhook)).body;
    await client.post(`/api/webhooks/${id}/test`);
    const received: { body: string; headers: IncomingHttpHeaders }[] = [];
    const receiver = createServer((request, response) => {
      void text(request).then((body) => {
        received.push({ body, headers: request.headers });
        response.writeHead(204).end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    try {
      // Run the command that prints new deliveries: it does not print earlier ones.
      const args = [
        'webhooks',
        'tail',
        '--limit',
        '1',
        '--event',
        'document.indexed',
        '--secret',
        'whsec_mine',
      ];
      const tailing = run([...args, '--forward', address], { heard: onStderr });
      await waitUntilListening();
      await client.post(`/api/webhooks/${id}/test`);
      const { code, out, err } = await tailing;
      assert.equal(code, 0, err);
      assert.equal(err, `Signing requests to ${address} with whsec_mine\nWaiting for deliveries.\n`);
      assert.match(
        out,
        /^\S+Z {2}document\.indexed {2}[-0-9a-f]{36} {2}\w+ {2}→ 204\n\{"event":"document\.indexed",/,
      );
      assert.equal(received.length, 1);
      for (const { body, headers } of received)
        assert.equal(verifyWebhook(body, headers, 'whsec_mine').event, 'document.indexed');
      const unreachableUrl = `http://127.0.0.1:${await findFreePort()}`;
      const silent = json(['webhooks', 'tail', '--limit', '1', '--forward', unreachableUrl], {
        heard: onStderr,
      });
      await waitUntilListening();
      await client.post(`/api/webhooks/${id}/test`);
      const { event, forwarded } = await silent;
      assert.equal(event, 'document.indexed');
      assert.match(forwarded, /^not sent: nothing accepts connections there \(ECONNREFUSED\)$/);
    } finally {
      receiver.close();
    }
  });

  it('stores the key in a file that only its owner can access', async () => {
    const { key, bot, client } = await buildSession(parley);
    const { run, home } = terminal({ PARLEY_URL: parley.baseUrl });
    for (const args of [['bots', 'list'], ['mcp'], ['webhooks', 'tail'], ['ask', bot.id, 'Hello']])
      assert.deepEqual(await run(args), {
        code: exitCodes.credentials,
        out: '',
        err: 'Set PARLEY_API_KEY, or run parley login.\n',
      });
    assert.equal((await run(['login'])).code, exitCodes.usage);
    const file = join(home, '.config/parley/credentials.json');
    const workspace = (await client.get('/api/auth/me')).body.organization?.name;
    const kept = await run(['login'], { piped: `${key}\n` });
    const out = `Stored in ${file}, for ${parley.baseUrl} and the workspace ${workspace}.\n`;
    assert.deepEqual(kept, { code: 0, out, err: '' });
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const elsewhere = terminal({}, home);
    assert.equal((await elsewhere.run(['bots', 'list'])).out, `${bot.id}  active  Help desk\n`);
    chmodSync(file, 0o644);
    const refused = await elsewhere.run(['bots', 'list']);
    assert.deepEqual(refused, {
      code: exitCodes.usage,
      out: '',
      err: `Other users can read ${file}, which contains a key. Run chmod 600 on the file.\n`,
    });
  });

  for (const wrong of ['parley_live_0', 'wrong'])
    it(`login refuses the key ${wrong} and keeps the stored key`, async () => {
      const { key } = await buildSession(parley);
      const { run, home } = terminal({ PARLEY_URL: parley.baseUrl });
      const file = join(home, '.config/parley/credentials.json');
      const refused = await run(['login'], { piped: wrong });
      assert.deepEqual([refused.code, refused.out, existsSync(file)], [exitCodes.credentials, '', false]);
      assert.match(
        refused.err,
        /^The key is not stored\.\nThe (API key has 13 characters, but|token is neither) .+ \(unauthenticated, req_\w+\)\n$/,
      );
      await run(['login'], { piped: key });
      const stored = readFileSync(file, 'utf8');
      assert.equal((await run(['login'], { piped: wrong })).code, exitCodes.credentials);
      assert.equal(readFileSync(file, 'utf8'), stored);
    });

  it('login reads a typed key', async () => {
    const { key } = await buildSession(parley);
    const { run } = terminal({ PARLEY_URL: parley.baseUrl });
    const { code, err } = await run(['login', '--key'], { typed: `${key} ` });
    assert.deepEqual([code, err], [exitCodes.done, `API key for ${parley.baseUrl}: \n`]);
  });

  it('names the option for visitors’ tokens if an operation needs a visitor’s token', async () => {
    const { run } = await buildTerminal();
    assert.deepEqual(await run(['api', 'getWidgetSession', UNKNOWN]), {
      code: exitCodes.credentials,
      out: '',
      err: 'This operation is for visitors. Add --visitor-token with the visitor_token of a session.\n',
    });
  });

  it('returns an exit code for each kind of error', async () => {
    const { run, bot } = await buildTerminal();
    const stranger = terminal({ PARLEY_URL: parley.baseUrl, PARLEY_API_KEY: 'parley_live_0' });
    const nowhere = terminal({ PARLEY_URL: 'http://127.0.0.1:1', PARLEY_API_KEY: 'parley_live_0' });
    assert.equal((await stranger.run(['bots', 'list'])).code, exitCodes.credentials);
    assert.equal((await nowhere.run(['bots', 'list'])).code, exitCodes.connection);
    assert.equal((await run(['bots', 'get', UNKNOWN])).code, exitCodes.notFound);
    assert.equal((await run(['api', 'getWidgetSession', UNKNOWN])).code, exitCodes.credentials);
    const invalid = await run(['bots', 'create', 'n'.repeat(300)]);
    assert.equal(invalid.code, exitCodes.refused);
    assert.match(invalid.err, /^name must have at most 255 characters \(validation_error, req_\w+\)\n$/);
    const several = await run(['bots', 'create', 'Shop', '--body', '{"a": 1, "b": 1, "c": 1, "d": 1}']);
    assert.match(
      several.err,
      /^4 fields are not valid: a is .+ field; b .+; c .+; … \(.+\)\n {2}d: is not a known field\n$/,
    );
    for (const args of [
      ['bots'],
      ['bots', 'get'],
      ['bots', 'get', bot.id, 'more'],
      ['bots', 'list', '--loud'],
      ['api', 'getBots'],
      ['api', 'getBot'],
      ['api', 'createBot', '--body', 'no'],
      ['api', 'listBots', '--query', 'page'],
      ['completion'],
      ['completion', 'tcsh'],
    ])
      assert.equal((await run(args)).code, exitCodes.usage, args.join(' '));
    assert.match((await run(['api', 'getbot'])).err, /There is no operation getbot\. Did you mean getBot/);
  });

  it('serves tools over stdin and stdout in both protocol versions, and reports errors', async () => {
    const { run, bot } = await buildTerminal();
    const client = { name: 'test', version: '1' };
    const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client };
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': client,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const asked = [
      { id: 1, method: 'initialize', params: initialize },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'list_bots', arguments: {} } },
      {
        id: 3,
        method: 'tools/call',
        params: { name: 'get_bot', arguments: { bot_id: bot.id }, _meta: meta },
      },
      { id: 4, method: 'nothing/here', params: {} },
    ];
    const lines = asked.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
    const { code, out } = await run(['mcp'], { piped: [...lines, 'no JSON'].join('\n') });
    const messages = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as BridgedMessage);
    const byId = new Map(messages.map((message) => [message.id, message]));
    assert.equal(code, exitCodes.done);
    assert.equal(byId.get(1)?.result?.protocolVersion, '2025-06-18');
    assert.deepEqual(
      byId.get(2)?.result?.structuredContent?.bots?.map(({ id }) => id),
      [bot.id],
    );
    assert.equal(byId.get(3)?.result?.structuredContent?.bot?.id, bot.id);
    assert.equal(byId.get(4)?.error?.code, -32601);
    assert.equal(byId.get(null)?.error?.code, -32700);
    assert.equal(messages.length, 5);
  });

  itInSoak('serve tools reports an invalid key and an unreachable server', async () => {
    const line = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const { run } = terminal({ PARLEY_URL: parley.baseUrl, PARLEY_API_KEY: 'parley_live_nothing' });
    assert.match(
      (await run(['mcp'], { piped: line })).out,
      /"error":\{"code":-32000,"message":"The API key has 19 characters/,
    );
    const unreachableTerminal = terminal({
      PARLEY_URL: `http://127.0.0.1:${await findFreePort()}`,
      PARLEY_API_KEY: 'key',
    });
    assert.match(
      (await unreachableTerminal.run(['mcp'], { piped: line })).out,
      /"error":\{"code":-32000,"message":"http\S+\/mcp cannot be reached: nothing accepts connections there \(ECONNREFUSED\)\. To use another address, set PARLEY_URL\."/,
    );
    const page = createServer((_, response) => response.writeHead(404).end('<h1>Not Found</h1>'));
    await once(page.listen(0, '127.0.0.1'), 'listening');
    const other = terminal({
      PARLEY_URL: `http://127.0.0.1:${(page.address() as AddressInfo).port}`,
      PARLEY_API_KEY: 'key',
    });
    assert.match(
      (await other.run(['mcp'], { piped: line })).out,
      /"message":"The server responded with status 404, but without a Parley error\. Check that PARLEY_URL is the URL of Parley\."/,
    );
    page.close();
    assert.equal(
      (await terminal({ PARLEY_URL: parley.baseUrl }).run(['mcp'], { piped: line })).code,
      exitCodes.credentials,
    );
  });
});
