import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { isInterceptable } from '../../sdk/typescript/src/base-url.ts';
import { normalizeUrl } from '../../sdk/typescript/src/cli/address.ts';
import { exitCodes } from '../../sdk/typescript/src/cli/exit-codes.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { terminal } from './command-line.ts';

const PAGE = { items: [], total: 0, page: 1, page_size: 100, has_more: false, next_cursor: null };
const MCP_CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

/** A fake API server that records the Authorization headers of its requests. */
class KeyCatcher {
  readonly keys: (string | undefined)[] = [];
  readonly #server: Server;

  private constructor(redirectTo: string | undefined) {
    this.#server = createServer((request, response) => {
      this.keys.push(request.headers.authorization);
      if (redirectTo !== undefined) response.writeHead(307, { location: redirectTo }).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(PAGE));
    });
  }

  static async start(redirectTo?: string): Promise<KeyCatcher> {
    const catcher = new KeyCatcher(redirectTo);
    await once(catcher.#server.listen(0, '127.0.0.1'), 'listening');
    return catcher;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

describe('the address and the key of `parley`', () => {
  let own: KeyCatcher;
  let other: KeyCatcher;
  beforeEach(async () => {
    own = await KeyCatcher.start();
    other = await KeyCatcher.start();
  });
  afterEach(() => {
    own.stop();
    other.stop();
  });

  const credentialsPath = (home: string) => join(home, '.config/parley/credentials.json');

  /** Builds a home folder with stored credentials of the command line. */
  function buildHomeWith(stored: unknown): string {
    const home = makeTemporaryFolder();
    mkdirSync(dirname(credentialsPath(home)), { recursive: true });
    writeFileSync(credentialsPath(home), JSON.stringify(stored), { mode: 0o600 });
    return home;
  }

  const listBots = (env: Record<string, string>, home?: string) => terminal(env, home).run(['bots', 'list']);

  it('both come from the environment, whatever credentials are stored', async () => {
    const home = buildHomeWith({ url: other.url, api_key: 'stored' });
    const { code } = await listBots({ PARLEY_URL: own.url, PARLEY_API_KEY: 'own' }, home);
    assert.deepEqual([code, own.keys, other.keys], [exitCodes.done, ['Bearer own'], []]);
  });

  it('both come from the file of stored credentials', async () => {
    const { code } = await listBots({}, buildHomeWith({ url: own.url, api_key: 'stored' }));
    assert.deepEqual([code, own.keys], [exitCodes.done, ['Bearer stored']]);
  });

  it('are the stored address and key if PARLEY_URL is a different spelling of the stored address', async () => {
    const home = buildHomeWith({ url: own.url, api_key: 'stored' });
    const { code } = await listBots({ PARLEY_URL: `${own.url.replace('http', 'HTTP')}//` }, home);
    assert.deepEqual([code, own.keys], [exitCodes.done, ['Bearer stored']]);
  });

  for (const args of [['bots', 'list'], ['api', 'listBots'], ['mcp'], ['ask', 'b1', 'Hello']])
    it(`are refused by ${args.join(' ')} if PARLEY_URL names a different server from that of the stored key`, async () => {
      const home = buildHomeWith({ url: own.url, api_key: 'stored' });
      const { code, out, err } = await terminal({ PARLEY_URL: other.url }, home).run(args, {
        piped: MCP_CALL,
      });
      assert.deepEqual([code, out, own.keys, other.keys], [exitCodes.usage, '', [], []]);
      assert.equal(
        err,
        `PARLEY_URL is ${other.url}, but the key in ${credentialsPath(home)} is for ${own.url}. Set PARLEY_API_KEY to a key of ${other.url}, unset PARLEY_URL, or store another key with parley login.\n`,
      );
    });

  it('are refused if PARLEY_URL has the host of the stored key, but another scheme, port or path', async () => {
    const home = buildHomeWith({ url: 'https://parley.test', api_key: 'stored' });
    for (const url of ['http://parley.test', 'https://parley.test:8443', 'https://parley.test/elsewhere'])
      assert.equal((await listBots({ PARLEY_URL: url }, home)).code, exitCodes.usage, url);
  });

  it('are refused if only the key comes from the environment and differs from the stored key', async () => {
    const home = buildHomeWith({ url: own.url, api_key: 'stored' });
    const { code, err } = await listBots({ PARLEY_API_KEY: 'another' }, home);
    assert.deepEqual([code, own.keys], [exitCodes.usage, []]);
    assert.equal(
      err,
      `PARLEY_API_KEY is set without PARLEY_URL, but ${credentialsPath(home)} is for ${own.url}. Set PARLEY_URL to the address of the server that the key is for.\n`,
    );
  });

  it('are the stored address and key if PARLEY_API_KEY equals the stored key', async () => {
    const home = buildHomeWith({ url: own.url, api_key: 'stored' });
    const { code } = await listBots({ PARLEY_API_KEY: 'stored' }, home);
    assert.deepEqual([code, own.keys], [exitCodes.done, ['Bearer stored']]);
  });

  it('are stored in a file that only its owner can access, even if it replaces a shared file', async () => {
    const home = buildHomeWith({ url: other.url, api_key: 'old' });
    chmodSync(credentialsPath(home), 0o666);
    const { code } = await terminal({ PARLEY_URL: `${own.url}/` }, home).run(['login'], { piped: 'new\n' });
    assert.equal(code, exitCodes.done);
    assert.equal(statSync(credentialsPath(home)).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(dirname(credentialsPath(home))), ['credentials.json']);
    assert.equal((await listBots({}, home)).code, exitCodes.done);
    assert.deepEqual([own.keys, other.keys], [['Bearer new', 'Bearer new'], []]);
  });

  it('are not read from a .env file of the working folder', async () => {
    const home = makeTemporaryFolder();
    const here = process.cwd();
    writeFileSync(join(home, '.env'), `PARLEY_URL=${other.url}\nPARLEY_API_KEY=planted\n`);
    process.chdir(home);
    try {
      await listBots({ PARLEY_URL: own.url, PARLEY_API_KEY: 'own' }, home);
    } finally {
      process.chdir(here);
    }
    assert.deepEqual([own.keys, other.keys], [['Bearer own'], []]);
  });

  it('are not read from the working folder if XDG_CONFIG_HOME is relative', async () => {
    const home = buildHomeWith({ url: own.url, api_key: 'stored' });
    const { code } = await listBots({ XDG_CONFIG_HOME: 'elsewhere' }, home);
    assert.deepEqual([code, own.keys], [exitCodes.done, ['Bearer stored']]);
  });

  it('require an http or https address', async () => {
    for (const url of [
      'http://',
      'ftp://parley.test',
      'https://me:secret@parley.test',
      'https://parley.test/?a',
    ])
      assert.deepEqual(await listBots({ PARLEY_URL: url, PARLEY_API_KEY: 'key' }), {
        code: exitCodes.usage,
        out: '',
        err: 'PARLEY_URL is not a valid address of Parley. Write it like https://chat.example.com.\n',
      });
  });

  for (const args of [
    ['bots', 'list'],
    ['api', 'listBots'],
    ['mcp'],
    ['ask', 'b1', 'Hello'],
    ['webhooks', 'tail'],
  ])
    it(`are not sent to the target of a redirect by ${args.join(' ')}`, async () => {
      const redirecting = await KeyCatcher.start(`${other.url}/elsewhere`);
      try {
        const { run } = terminal({ PARLEY_URL: redirecting.url, PARLEY_API_KEY: 'own' });
        const { out, err } = await run(args, { piped: MCP_CALL });
        assert.match(out + err, /responded with a redirect/);
        assert.deepEqual([redirecting.keys, other.keys], [['Bearer own'], []]);
      } finally {
        redirecting.stop();
      }
    });

  it('cause a warning about an address without TLS, except on this machine', async () => {
    const warning =
      'Warning: http://parley.invalid is not encrypted: others can read the key and all responses in transit. Use https.\n';
    const env = { PARLEY_URL: 'http://parley.invalid', PARLEY_API_KEY: 'key' };
    const { err } = await terminal(env).run(['api', 'nothing']);
    assert.ok(err.startsWith(warning), err);
    const stored = terminal({ PARLEY_URL: 'http://parley.invalid' });
    const login = await stored.run(['login'], { piped: 'key' });
    assert.ok(
      login.err.startsWith(`${warning}The key is not stored.\nThe connection to http://parley.invalid`),
    );
    assert.deepEqual([login.code, existsSync(credentialsPath(stored.home))], [exitCodes.connection, false]);
    assert.equal((await listBots({ PARLEY_URL: own.url, PARLEY_API_KEY: 'key' })).err, '');
  });

  it('are interceptable over plain HTTP, except at a loopback name or address (isInterceptable)', () => {
    for (const host of [
      'localhost',
      'LOCALHOST',
      'a.localhost',
      '127.0.0.1',
      '127.9.8.7',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
    ])
      assert.equal(isInterceptable(normalizeUrl(`http://${host}:3000`, 'It')), false, host);
    for (const host of [
      'localhost.example.com',
      '10.0.0.1',
      '[::2]',
      '127.0.0.1.example.com',
      '0.0.0.0',
      '192.168.0.1',
    ])
      assert.equal(isInterceptable(normalizeUrl(`http://${host}`, 'It')), true, host);
    assert.equal(isInterceptable('https://parley.example.com'), false);
  });
});
