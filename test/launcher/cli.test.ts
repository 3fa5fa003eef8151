import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { digestApiKey, isWellFormedApiKey } from '../../adapters/keys/api-key.ts';
import { withDatabase } from '../../scripts/launcher/database-check.ts';
import { createTestDatabase, testTemporalAddress, type TestDatabase } from '../support/database.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const CLI = fileURLToPath(new URL('../../dist/scripts/cli.js', import.meta.url));

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

describe('npm run parley --', () => {
  const home = makeTemporaryFolder();
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
  });

  after(async () => {
    await database.drop();
    rmSync(home, { recursive: true, force: true });
  });

  function parley(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
    const environment = { ...process.env, PARLEY_HOME: home, ...env };
    return new Promise((resolve) => {
      execFile(process.execPath, [CLI, ...args], { env: environment }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });
  }

  const servers = () => ({ DATABASE_URL: database.url, TEMPORAL_ADDRESS: testTemporalAddress() });

  it('help lists the commands', async () => {
    const { code, stdout } = await parley(['help']);
    assert.equal(code, 0);
    for (const command of ['create-key', 'migrate', 'doctor', 'help'])
      assert.match(stdout, new RegExp(`^  ${command}`, 'm'));
  });

  it('an unknown command or option is refused by its name', async () => {
    assert.deepEqual(await parley(['fly']), {
      code: 1,
      stdout: '',
      stderr: 'There is no command "fly"; `npm run parley -- help` lists them.\n',
    });
    assert.match((await parley(['create-key', '--colour'])).stderr, /^Unknown option '--colour'/);
  });

  describe('without a workspace', () => {
    it('create-key --print-only needs no database and makes a well-formed key', async () => {
      const { code, stdout } = await parley(['create-key', '--print-only']);
      assert.equal(code, 0);
      assert.equal(isWellFormedApiKey(stdout.trim()), true);
    });

    it('create-key says what to do when nothing runs, or nobody is there to own the key', async () => {
      assert.deepEqual(await parley(['create-key']), {
        code: 1,
        stdout: '',
        stderr: `No Parley runs on ${home}. Start it with \`npm start\` first, or set DATABASE_URL.\n`,
      });
      const { stderr } = await parley(['create-key'], servers());
      assert.equal(stderr, 'There is no workspace yet; `npm start` makes the first one.\n');
    });
  });

  describe('migrate', () => {
    it('makes the first workspace once', async () => {
      const first = await parley(['migrate'], servers());
      assert.equal(first.code, 0);
      assert.match(
        first.stdout,
        /^The database is up to date\.\n\nThe owner of the first workspace, shown only this once:/,
      );
      const second = await parley(['migrate'], servers());
      assert.equal(second.stdout, 'The database is up to date.\nTemporal is up to date.\n');
    });
  });

  describe('create-key', () => {
    it('stores the digest of a key with its name and scopes', async () => {
      const { stdout } = await parley(
        ['create-key', '--name', 'CI', '--scopes', 'bots:read,knowledge:write'],
        servers(),
      );
      const { rows } = await withDatabase(database.url, (client) =>
        client.query('SELECT name, scopes FROM api_keys WHERE digest = $1', [digestApiKey(stdout.trim())]),
      );
      assert.deepEqual(rows, [{ name: 'CI', scopes: ['bots:read', 'knowledge:write'] }]);
    });

    it('refuses a scope that does not exist', async () => {
      const { code, stderr } = await parley(['create-key', '--scopes', 'bots:fly'], servers());
      assert.equal(code, 1);
      assert.match(stderr, /^No such scope: bots:fly\. There are: bots:read, /);
    });
  });

  describe('doctor', () => {
    it('misses nothing but a worker on what the tests run on', async () => {
      const { code, stdout } = await parley(['doctor'], { ...servers(), PARLEY_TASK_QUEUE_PREFIX: 'nobody' });
      assert.equal(code, 1);
      assert.deepEqual(stdout.match(/^[✓✗] \w+/gm), [
        '✓ Database',
        '✓ Temporal',
        '✗ Worker',
        '✓ Storage',
        '✓ Mail',
        '✓ Model',
      ]);
      assert.match(
        stdout,
        /nobody works on nobody, nobody-fetch, nobody-ingest, nobody-webhooks, nobody-models, so documents stay pending/,
      );
    });

    it('says of each part what is wrong and what to do', async () => {
      const { code, stdout } = await parley(['doctor'], {
        DATABASE_URL: 'postgres://a:b@127.0.0.1:9/x',
        TEMPORAL_ADDRESS: '127.0.0.1:9',
        PARLEY_SMTP_URL: 'smtp://127.0.0.1:9',
        PARLEY_HOME: '/dev/null/x',
      });
      assert.equal(code, 1);
      const lines = stdout.trim().split('\n');
      assert.equal(
        lines[0],
        '✗ Database: it cannot be reached (connect ECONNREFUSED 127.0.0.1:9). Check DATABASE_URL and that the server runs.',
      );
      assert.match(
        lines[1] ?? '',
        /^✗ Temporal: 127\.0\.0\.1:9, namespace "default", does not answer \(.+\)\. Check TEMPORAL_ADDRESS/,
      );
      assert.match(
        lines[3] ?? '',
        /^✗ Storage: files in \/dev\/null\/x cannot be written and read \(.+\)\. Check PARLEY_HOME/,
      );
      assert.match(
        lines[4] ?? '',
        /^✗ Mail: the server of PARLEY_SMTP_URL does not take mail \(connect ECONNREFUSED/,
      );
      assert.match(lines[5] ?? '', /^✓ Model: /);
    });

    it('asks the model’s endpoint with the key, and for the model', async () => {
      const endpoint = createServer((request, response) => {
        response.statusCode = request.headers.authorization === 'Bearer right' ? 200 : 401;
        response.end(JSON.stringify({ data: [{ id: 'big-1' }] }));
      }).listen(0, '127.0.0.1');
      await once(endpoint, 'listening');
      const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`;
      const modelLine = async (key: string, model: string) => {
        const env = { PARLEY_MODEL_BASE_URL: url, PARLEY_MODEL_API_KEY: key, PARLEY_MODEL: model };
        return (await parley(['doctor'], { ...servers(), ...env })).stdout.split('\n')[5];
      };
      assert.equal(await modelLine('right', 'big-1'), `✓ Model: big-1 at ${url}`);
      assert.equal(
        await modelLine('wrong', 'big-1'),
        `✗ Model: ${url} refuses the key (401). Check PARLEY_MODEL_API_KEY.`,
      );
      assert.equal(
        await modelLine('right', 'big-2'),
        `✗ Model: ${url} does not offer big-2, but big-1. Check PARLEY_MODEL.`,
      );
      endpoint.close();
    });
  });
});
