import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { isWellFormedApiKey } from '../../adapters/keys/api-key.ts';
import { digestSecret } from '../../core/accounts/secret-digest.ts';
import { Keyring } from '../../adapters/keys/keyring.ts';
import { newId } from '../../core/ids.ts';
import { generateEndpointSecret, endpointSecretContext } from '../../services/webhooks/endpoint-secret.ts';
import { startModelServer } from '../support/model-server.ts';
import { withDatabase } from '../../scripts/launcher/database-check.ts';
import { CLI, useCommandLine } from './command-line.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const CREATE_KEY = 'create-key [--name <name>] [--scopes <a,b>] [--print-only]';
const MASTER_KEY = randomBytes(32).toString('base64');

describe('npm run parley --', () => {
  const { home, parley, parleyProcess, servers, databaseUrl } = useCommandLine();

  it('--help and -h list the commands', async () => {
    const help = await parley(['help']);
    for (const option of ['--help', '-h']) assert.deepEqual(await parley([option]), help);
  });

  it('help lists the commands', async () => {
    const { code, stdout } = await parleyProcess(['help']);
    assert.equal(code, 0);
    for (const command of [
      'create-key',
      'migrate',
      'doctor',
      'embeddings <list|fetch> [<name>]',
      'mail-link',
      'webhooks replay',
      'help',
    ])
      assert.match(stdout, new RegExp(`^  ${command}`, 'm'));
  });

  itInSoak(
    'help ends silently with 141 when its output is no longer read, and lists the exit codes',
    async () => {
      const child = spawn(process.execPath, [CLI, 'help'], { stdio: ['ignore', 'pipe', 'pipe'] });
      child.stdout.destroy();
      const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      assert.deepEqual([errors, code], ['', 141]);
      for (const args of [['help'], ['doctor', '--help']])
        assert.match(
          (await parley(args)).stdout,
          /\nExit codes: 0 done, 1 failed or refused, 141 output not read\.\n$/,
        );
    },
  );

  it('refuses an unknown command or option with its name', async () => {
    assert.deepEqual(await parleyProcess(['fly']), {
      code: 1,
      stdout: '',
      stderr: 'There is no command "fly"; `npm run parley -- help` lists them.\n',
    });
    const hostile = await parleyProcess(['fly\x1b[2J\u202e']);
    assert.match(hostile.stderr, /^There is no command "fly\\u001b\[2J\\u202e";/);
    for (const [args, message] of [
      [
        ['webhook', 'replay'],
        'There is no command "webhook" (did you mean webhooks?); `npm run parley -- help` lists them.',
      ],
      [['create-key', '--shade'], `There is no option --shade.\nUsage: ${CREATE_KEY}`],
      [
        ['create-key', '--nam', 'x'],
        `There is no option --nam (did you mean --name?).\nUsage: ${CREATE_KEY}`,
      ],
      [['create-key', 'extra'], `The command does not take the argument extra.\nUsage: ${CREATE_KEY}`],
      [['create-key', '--name'], `Option '--name <value>' argument missing.\nUsage: ${CREATE_KEY}`],
      [
        ['backup', 'bk3', '--withkeys'],
        'There is no option --withkeys (did you mean --with-keys?).\nUsage: backup <folder> [--with-keys]',
      ],
      [['migrate', 'all'], 'migrate takes no arguments: remove all.'],
      [['restore', '/nowhere/backup'], 'There is no folder /nowhere/backup.'],
    ] as const)
      assert.deepEqual(await parley([...args]), { code: 1, stdout: '', stderr: `${message}\n` });
    assert.match((await parley(['create-key', '--help'])).stdout, /^  create-key \[--name <name>\]/);
  });

  describe('without a workspace,', () => {
    it('create-key --print-only needs no database and prints a well-formed key', async () => {
      const { code, stdout } = await parley(['create-key', '--print-only']);
      assert.equal(code, 0);
      assert.equal(isWellFormedApiKey(stdout.trim()), true);
    });

    it('create-key says what to do if no Parley runs, or no account can own the key', async () => {
      assert.deepEqual(await parley(['create-key']), {
        code: 1,
        stdout: '',
        stderr: `No Parley is running with PARLEY_HOME ${home}. Start Parley with \`npm start\` first, or set DATABASE_URL.\n`,
      });
      const { stderr } = await parley(['create-key'], servers());
      assert.equal(stderr, 'There is no workspace yet. `npm start` creates the first one.\n');
    });
  });

  describe('migrate', () => {
    it('creates the first workspace once', async () => {
      const first = await parleyProcess(['migrate'], servers());
      assert.equal(first.code, 0);
      assert.match(
        first.stdout,
        /^The database is up to date\.\n\nCredentials of the first owner \(not shown again\):/,
      );
      const second = await parley(['migrate'], servers());
      assert.equal(second.stdout, 'The database is up to date.\nTemporal is up to date.\n');
    });
  });

  describe('create-key', () => {
    it('stores the digest of a key with its name and scopes, and writes to the audit log', async () => {
      const { stdout } = await parley(
        ['create-key', '--name', 'CI', '--scopes', 'bots:read,knowledge:write'],
        servers(),
      );
      const { rows } = await withDatabase(databaseUrl(), (client) =>
        client.query(
          `SELECT k.name, k.scopes, e.operation, e.user_id = k.created_by_id AS "isByOwner"
           FROM api_keys k LEFT JOIN audit_events e ON e.resource_id = k.id::text WHERE k.digest = $1`,
          [digestSecret(stdout.trim())],
        ),
      );
      const scopes = ['bots:read', 'knowledge:write'];
      assert.deepEqual(rows, [{ name: 'CI', scopes, operation: 'createApiKey', isByOwner: true }]);
    });

    it('refuses a scope that does not exist', async () => {
      const { code, stderr } = await parley(['create-key', '--scopes', 'bots:fly'], servers());
      assert.equal(code, 1);
      assert.match(stderr, /^No such scope: bots:fly\. Available scopes: bots:read, /);
    });
  });

  /** Builds a webhook endpoint with `count` failed deliveries, one a minute, the last one a test delivery. */
  async function buildFailed(count: number): Promise<{ webhookId: string; ids: string[] }> {
    const webhookId = newId();
    const ids = Array.from({ length: count }, () => newId());
    const sealed = new Keyring(MASTER_KEY).seal(generateEndpointSecret(), endpointSecretContext(webhookId));
    await withDatabase(databaseUrl(), async (client) => {
      await client.query(
        `INSERT INTO webhooks (id, org_id, url, events, api_version, sealed_secret, secret_hint)
         SELECT $1, id, 'http://127.0.0.1:9/', '{lead.captured}', '2026-09-03', $2, 'abcd' FROM orgs LIMIT 1`,
        [webhookId, sealed],
      );
      await client.query(
        `INSERT INTO webhook_deliveries
           (id, org_id, webhook_id, event_id, event, payload, status, attempts, reason, is_on_demand, created_at)
         SELECT id, (SELECT org_id FROM webhooks WHERE webhooks.id = $1), $1, 'event-' || n, 'lead.captured', '{"n":1}',
                'failed', 1, 'http_404: Not found.', n > $3, '2026-11-20T10:00:00Z'::timestamptz + n * interval '1 min'
         FROM unnest($2::uuid[]) WITH ORDINALITY AS delivery(id, n)`,
        [webhookId, ids, count - 1],
      );
    });
    return { webhookId, ids };
  }

  describe('webhooks replay', () => {
    const replay = (...args: string[]) =>
      parley(['webhooks', 'replay', ...args], { ...servers(), PARLEY_MASTER_KEY: MASTER_KEY });
    it('lists failed deliveries of a time range, and sends them again once', async () => {
      const { webhookId, ids } = await buildFailed(4);
      const range = ['--endpoint', webhookId, '--since', '2026-11-20T10:02:00Z'];
      const listed = [2, 3].map((n) => `2026-11-20T10:0${n}:00.000Z  lead.captured  ${ids[n - 1]}  `);
      assert.deepEqual(await replay(...range, '--dry-run'), {
        code: 0,
        stdout: [
          ...listed.map((line) => `${line}http_404: Not found.`),
          '2 deliveries would be replayed.',
          '',
        ].join('\n'),
        stderr: '',
      });
      const earlier = await replay(...range, '--until', '2026-11-20T10:03:00Z', '--dry-run');
      assert.match(earlier.stdout, /^[^\n]*\n1 delivery would be replayed\.\n$/);
      const { code, stdout } = await replay(...range);
      assert.equal(code, 0);
      const lines = stdout.trimEnd().split('\n');
      assert.equal(lines.pop(), '2 deliveries are replayed.');
      const { rows } = await withDatabase(databaseUrl(), (client) =>
        client.query(
          `SELECT r.id, r.status FROM webhook_deliveries r JOIN webhook_deliveries d ON d.id = r.replay_of_id
           WHERE r.webhook_id = $1 ORDER BY d.created_at`,
          [webhookId],
        ),
      );
      assert.deepEqual(
        rows.map(({ id, status }, n) => `${listed[n]}resent as ${id} ${status}`),
        lines.map((line) => `${line} pending`),
      );
      assert.equal(
        (await replay(...range)).stdout,
        'No failed deliveries in that period remain to be replayed.\n',
      );
    });

    it('shows a receiver’s response on one line, with control characters escaped', async () => {
      const { webhookId, ids } = await buildFailed(2);
      await withDatabase(databaseUrl(), (client) =>
        client.query('UPDATE webhook_deliveries SET reason = $2 WHERE webhook_id = $1', [
          webhookId,
          'http_404: \x1b]0;owned\x07\u202e\u009b2J\nAll is well.',
        ]),
      );
      const { stdout } = await replay('--endpoint', webhookId, '--since', '2026-11-20', '--dry-run');
      assert.equal(
        stdout,
        String.raw`2026-11-20T10:01:00.000Z  lead.captured  ${ids[0]}  http_404: \u001b]0;owned\u0007\u202e\u009b2J\nAll is well.` +
          '\n1 delivery would be replayed.\n',
      );
    });

    it('reports invalid arguments', async () => {
      const { webhookId } = await buildFailed(1);
      await withDatabase(databaseUrl(), (client) =>
        client.query('UPDATE webhooks SET is_active = false WHERE id = $1', [webhookId]),
      );
      const unknownId = newId();
      const outcomes = await Promise.all([
        replay('--endpoint', webhookId),
        replay('--endpoint', webhookId, '--since', 'once'),
        replay('--endpoint', webhookId, '--since', '2999-01-01'),
        replay('--endpoint', webhookId, '--since', '2026-11-20', '--until', '2026-11-19'),
        replay('--endpoint', unknownId, '--since', '2026-11-20'),
        replay('--endpoint', webhookId, '--since', '2026-11-20'),
      ]);
      assert.deepEqual(
        outcomes.map(({ code, stderr }) => [code, stderr]),
        [
          [1, 'Usage: webhooks replay --endpoint <id> --since <time> [--until <time>] [--dry-run]\n'],
          [1, '"once" is not a time. Use the format 2026-11-21 or 2026-11-21T14:00:00Z.\n'],
          [1, '--since is in the future.\n'],
          [1, '--until must be later than --since.\n'],
          [1, `There is no webhook endpoint "${unknownId}".\n`],
          [1, 'The endpoint is disabled, and nothing is sent to it; activate it first.\n'],
        ],
      );
    });
  });

  describe('doctor', () => {
    const doctor = (env: Record<string, string>) => parley(['doctor'], env);

    it('reports only a missing worker on the servers of the tests', async () => {
      await withDatabase(databaseUrl(), (client) => client.query('DELETE FROM outbox'));
      const env = { PARLEY_TASK_QUEUE_PREFIX: 'nobody', PARLEY_MASTER_KEY: MASTER_KEY };
      const { code, stdout } = await doctor({ ...servers(), ...env });
      assert.equal(code, 1);
      assert.deepEqual(stdout.match(/^[✓✗] \w+/gm), [
        '✓ Database',
        '✓ Temporal',
        '✗ Worker',
        '✓ Storage',
        '✓ Email',
        '✓ Model',
        '✓ Master',
        '✓ Embeddings',
        '✓ Text',
        '✓ Billing',
        '✓ Outbox',
        '✓ Time',
      ]);
      assert.match(
        stdout,
        /no worker polls nobody, nobody-fetch, nobody-ingest, nobody-webhooks, nobody-models, nobody-mail, nobody-calendar, nobody-billing, nobody-messages, nobody-archives, so documents stay pending/,
      );
    });

    itInSoak('checks only the parts that its arguments name, and refuses an unknown part', async () => {
      const env = { ...servers(), PARLEY_TASK_QUEUE_PREFIX: 'nobody', PARLEY_MASTER_KEY: MASTER_KEY };
      const check = (...parts: string[]) => parley(['doctor', ...parts], env);
      const { code, stdout } = await check('worker', 'master-key');
      assert.deepEqual([code, stdout.match(/^[✓✗] .+?:/gm)], [1, ['✗ Worker:', '✓ Master key:']]);
      assert.equal((await check('master-key')).code, 0);
      assert.deepEqual(await check('wroker'), {
        code: 1,
        stdout: '',
        stderr:
          'There is no check "wroker" (did you mean worker?). The checks are database, temporal, worker, storage, email, model, master-key, embeddings, text-recognition, billing, outbox, time-zones.\n',
      });
    });

    it('reports an outbox whose entries have waited for longer than a minute', async () => {
      await withDatabase(databaseUrl(), (client) =>
        client.query(
          `INSERT INTO outbox (id, org_id, kind, name, payload, created_at)
                      SELECT $1, id, 'command', 'ingestDocument', '{}', now() - interval '90 s' FROM orgs LIMIT 1`,
          [newId()],
        ),
      );
      const { code, stdout } = await doctor({ ...servers(), PARLEY_MASTER_KEY: MASTER_KEY });
      assert.equal(code, 1);
      assert.match(
        stdout,
        /^✗ Outbox: an entry has waited for 9\d s, so documents stay pending and no emails are sent\. Restart the worker; the worker’s log says why\.$/m,
      );
      await withDatabase(databaseUrl(), (client) => client.query('DELETE FROM outbox'));
    });

    it('reports for each part what is wrong and what to do', async () => {
      const { code, stdout } = await doctor({
        DATABASE_URL: 'postgres://a:b@127.0.0.1:9/x',
        TEMPORAL_ADDRESS: '127.0.0.1:9',
        PARLEY_SMTP_URL: 'smtp://127.0.0.1:9',
        PARLEY_HOME: '/dev/null/x',
      });
      assert.equal(code, 1);
      const lines = stdout.trim().split('\n');
      assert.equal(
        lines[0],
        '✗ Database: the server cannot be reached (connect ECONNREFUSED 127.0.0.1:9). Check DATABASE_URL, and check that the server is running.',
      );
      assert.match(
        lines[1] ?? '',
        /^✗ Temporal: 127\.0\.0\.1:9, namespace "default", does not respond \(.+\)\. Check TEMPORAL_ADDRESS/,
      );
      assert.match(
        lines[3] ?? '',
        /^✗ Storage: files in \/dev\/null\/x cannot be written or read \(.+\)\. Check PARLEY_HOME/,
      );
      assert.match(
        lines[4] ?? '',
        /^✗ Email: the server of PARLEY_SMTP_URL does not accept email \(connect ECONNREFUSED/,
      );
      assert.match(lines[5] ?? '', /^✓ Model: /);
      assert.match(lines[6] ?? '', /^✗ Master key: none exists\. .*set PARLEY_MASTER_KEY\.$/);
    });

    it('decrypts the secret of a webhook to test the master key', async () => {
      await buildFailed(1);
      const keyLine = async (PARLEY_MASTER_KEY: string) =>
        (await doctor({ ...servers(), PARLEY_MASTER_KEY })).stdout.split('\n')[6];
      assert.equal(await keyLine(MASTER_KEY), '✓ Master key: decrypts the signing secrets of webhooks');
      assert.match(
        (await keyLine(randomBytes(32).toString('base64'))) ?? '',
        /^✗ Master key: the key does not decrypt the signing secrets of webhooks, so their deliveries wait\. Set PARLEY_MASTER_KEY/,
      );
    });

    it('embeds a text, and reports the model, the index of vectors, and errors', async () => {
      const line = async (env: Record<string, string> = {}) =>
        (await doctor({ ...servers(), ...env })).stdout.split('\n')[7] ?? '';
      assert.equal(await line(), '✓ Embeddings: no model, so search uses words only');
      const peer = await startModelServer();
      const PARLEY_EMBEDDING_BASE_URL = peer.baseUrl;
      assert.match(
        await line({ PARLEY_EMBEDDING_BASE_URL }),
        /^✓ Embeddings: text-embedding-3-small at http:\S+, vectors of 64 numbers, the first in \d+ ms; searched by the sign bits of vectors, without an index; install pgvector to get an index$/,
      );
      await peer.close();
      assert.match(
        await line({ PARLEY_EMBEDDING_BASE_URL }),
        /^✗ Embeddings: text-embedding-3-small returns no vectors \(.+\)\. Check PARLEY_EMBEDDING_BASE_URL/,
      );
    });
  });
});
