import assert from 'node:assert/strict';
import { crc32 } from 'node:zlib';
import { generateApiKey, isWellFormedApiKey } from '../../adapters/keys/api-key.ts';
import { digestSecret } from '../../core/accounts/secret-digest.ts';
import { newId } from '../../core/ids.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { Membership, type OrgRole } from '../../entities/team/membership.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';
import { buildActiveBot } from '../support/widget.ts';
import { signInAs } from './support.ts';

const HOUR_MS = 3_600_000;

describe('API keys', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const signIn = (role?: OrgRole) => signInAs(parley, role);

  const findRow = (id: string) => parley.database.repository(ApiKey).findOneByOrFail({ id });

  /** Asserts that the API refuses an API key with 401 unauthenticated, and returns the message. */
  async function refuse(key: string): Promise<string> {
    const { status, problem } = await parley.client(key).get('/api/bots');
    assert.deepEqual([status, problem.error.code], [401, 'unauthenticated']);
    return problem.error.message;
  }

  it('are returned once by createApiKey, never by listApiKeys, and stored as digests', async () => {
    const { session } = await signIn('admin');
    const { status, body } = await session.post('/api/api-keys', { name: 'Website', scopes: ['bots:read'] });
    assert.equal(status, 201);
    const { key, ...read } = body;
    assert.match(key, /^parley_live_[0-9A-Za-z]{36}$/);
    assert.ok(isWellFormedApiKey(key));
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const sum = Array.from(String(key).slice(-6)).reduce(
      (value, digit) => value * 62 + alphabet.indexOf(digit),
      0,
    );
    assert.equal(sum, crc32(key.slice('parley_live_'.length, -6)));
    const listed = await session.get('/api/api-keys');
    assert.deepEqual(listed.body[0], read);
    assert.deepEqual([read.prefix, read.last_four], ['parley_live_', key.slice(-4)]);
    assert.ok(!JSON.stringify(listed.body).includes(key));
    const row = await findRow(read.id);
    assert.equal(row.digest, digestSecret(key));
    assert.ok(!JSON.stringify(row).includes(key));
  });

  it('have no rights beyond their scopes and their creator’s current role', async () => {
    const { session, orgId, userId } = await signIn('admin');
    const { body } = await session.post('/api/api-keys', {
      name: 'Bots',
      scopes: ['bots:write', 'webhooks:read'],
    });
    const client = parley.client(body.key);
    assert.equal((await client.post('/api/bots', { name: 'Guide' })).status, 201);
    assert.equal((await client.get('/api/bots')).status, 200);
    assert.equal((await client.get('/api/webhooks')).status, 200);
    assert.equal(formatOutcome(await client.get('/api/contacts')), '403 forbidden');
    await parley.database.repository(Membership).update({ orgId, userId }, { role: 'viewer' });
    assert.equal(formatOutcome(await client.post('/api/bots', { name: 'Guide' })), '403 forbidden');
    assert.equal(formatOutcome(await client.get('/api/webhooks')), '403 forbidden');
    assert.equal((await client.get('/api/bots')).status, 200);
    await parley.database.repository(Membership).delete({ orgId, userId });
    assert.equal(
      await refuse(body.key),
      'The API key gives no access: its creator has left the workspace, or the workspace is not active.',
    );
  });

  it('are created by signed-in admins only', async () => {
    const body = { name: 'Website', scopes: ['bots:read'] };
    const { client } = await signIn();
    assert.equal(formatOutcome(await client.post('/api/api-keys', body)), '403 forbidden');
    const { session } = await signIn('member');
    assert.equal(formatOutcome(await session.post('/api/api-keys', body)), '403 forbidden');
  });

  it('are refused with advice if a client sends "Bearer" twice', async () => {
    const { key } = await parley.buildOrg();
    const { status, problem } = await parley.client(`Bearer ${key}`).get('/api/bots');
    assert.deepEqual(
      [status, problem.error.message],
      [
        401,
        'Send the header "Authorization: Bearer <token>". The header contains "Bearer" twice; pass only the token to an SDK.',
      ],
    );
  });

  for (const [name, authorization, advice] of [
    ['without "Bearer"', 'parley_live_0', ' The header that was sent does not begin with "Bearer".'],
    ['with an empty token', 'Bearer ', ' The token in the header is empty. Is its variable set?'],
    ['with no header', undefined, ''],
  ] as const)
    it(`are refused with advice ${name}`, async () => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const response = await fetch(`${parley.baseUrl}/api/bots`, { headers });
      const { error } = (await response.json()) as { error: { message: string } };
      assert.deepEqual(
        [response.status, error.message],
        [401, `Send the header "Authorization: Bearer <token>".${advice}`],
      );
    });

  for (const [name, token, message] of [
    [
      'for a bot’s public key',
      'pk_9fK2mQ7xV1bN4tR8cW3z',
      'pk_… is a bot’s public key, not an API key, which starts with parley_live_.',
    ],
    [
      'for a key in quotation marks',
      '"parley_live_0"',
      'The token is neither an API key, which starts with parley_live_, nor an access token. Send the token without quotation marks.',
    ],
    [
      'for the secret of a webhook',
      'whsec_0',
      'whsec_… is the secret of a webhook, not an API key, which starts with parley_live_.',
    ],
    [
      'for a placeholder',
      '$KEY',
      'The token is neither an API key, which starts with parley_live_, nor an access token. The token looks like a placeholder. Is its variable set, and not in single quotes?',
    ],
    [
      'for another token',
      'secret',
      'The token is neither an API key, which starts with parley_live_, nor an access token.',
    ],
  ] as const)
    it(`are refused with advice ${name}`, async () => {
      const { status, problem } = await parley.client(token).get('/api/bots');
      assert.deepEqual([status, problem.error.message], [401, message]);
    });

  it('are requested in the error if a visitor’s token was sent instead', async () => {
    const { bot } = await buildActiveBot(parley);
    const path = `/api/public/bots/${bot.public_key}/sessions` as const;
    const { body } = await parley.client().post(path, {});
    const { status, problem } = await parley.client(body.visitor_token).get('/api/bots');
    assert.deepEqual(
      [status, problem.error.message],
      [401, 'This is a visitor’s token; send an API key, or sign in.'],
    );
  });

  it('are refused with advice by operations of visitors', async () => {
    const { client } = await parley.buildOrg();
    const { status, problem } = await client.get(`/api/public/sessions/${newId()}`);
    assert.deepEqual(
      [status, problem.error.message],
      [401, 'Visitors send the visitor_token of their session in place of an API key.'],
    );
  });

  it('and other credentials in place of a visitor_token are refused with the name of what was sent', async () => {
    const { bot } = await buildActiveBot(parley);
    const path = `/api/public/bots/${bot.public_key}/sessions` as const;
    const { body } = await parley.client().post(path, {});
    const refusals = {
      [bot.public_key]:
        'pk_… is the bot’s public key. Start a session with it, and send the session’s visitor_token.',
      [body.visitor_secret!]: 'This is a visitor_secret. Send the visitor_token of the session.',
      'a.b': 'The visitor token is not valid; start a new session.',
    };
    for (const [token, message] of Object.entries(refusals)) {
      const { status, problem } = await parley.client(token).get(`/api/public/sessions/${body.session_id}`);
      assert.deepEqual([status, problem.error.message], [401, message]);
    }
  });

  it('are not created with an invalid field, which the error names', async () => {
    const { session } = await signIn();
    const bad = [
      ['scopes', { name: 'Website' }],
      ['scopes', { name: 'Website', scopes: [] }],
      ['scopes[0]', { name: 'Website', scopes: ['root'] }],
      ['scopes', { name: 'Website', scopes: ['bots:read', 'bots:read'] }],
      ['name', { name: '', scopes: ['bots:read'] }],
      ['expires_at', { name: 'Website', scopes: ['bots:read'], expires_at: '2020-01-01T00:00:00Z' }],
      ['expires_at', { name: 'Website', scopes: ['bots:read'], expires_at: 'soon' }],
      ['key', { name: 'Website', scopes: ['bots:read'], key: 'x' }],
    ] as const;
    for (const [field, request] of bad) {
      const response = await session.post('/api/api-keys', request);
      assert.equal(formatOutcome(response), '422 validation_error');
      assert.equal(response.problem.details[0]!.field, field);
    }
  });

  it('are refused with the reason if they are incomplete, mistyped or from another installation', async () => {
    const { body } = await (
      await signIn()
    ).session.post('/api/api-keys', { name: 'A', scopes: ['bots:read'] });
    const { key } = body;
    assert.equal(
      await refuse(key.slice(0, -3)),
      'The API key has 45 characters, but a key has 48. Copy the whole key.',
    );
    const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    assert.equal(await refuse(mistyped), 'The API key has a mistyped character. Copy the whole key again.');
    assert.equal(
      await refuse(generateApiKey()),
      'This server does not know the API key. It may belong to another installation of Parley.',
    );
  });

  it('stop working when they expire, and after revokeApiKey', async () => {
    const { session } = await signIn();
    const createKey = async () =>
      (
        await session.post('/api/api-keys', {
          name: 'Website',
          scopes: ['bots:read'],
          expires_at: new Date(Date.now() + HOUR_MS).toISOString(),
        })
      ).body;
    const [expiring, revoked] = [await createKey(), await createKey()];
    const useKey = (key: string) => parley.client(key).get('/api/bots');
    assert.equal((await useKey(expiring.key)).status, 200);
    await parley.database.repository(ApiKey).update(expiring.id, { expiresAt: new Date(Date.now() - 1) });
    assert.equal(await refuse(expiring.key), 'The API key has expired; create another one.');
    assert.equal(
      formatOutcome(await session.post(`/api/api-keys/${expiring.id}/rotate`, {})),
      '409 conflict',
    );
    assert.equal((await session.delete(`/api/api-keys/${revoked.id}`)).status, 200);
    assert.equal(await refuse(revoked.key), 'The API key was revoked; use another one.');
    assert.equal(formatOutcome(await session.delete(`/api/api-keys/${revoked.id}`)), '404 not_found');
    assert.equal(
      formatOutcome(await session.post(`/api/api-keys/${revoked.id}/rotate`, {})),
      '404 not_found',
    );
    assert.ok(!(await session.get('/api/api-keys')).body.some(({ id }) => id === revoked.id));
  });

  it('return 403 for another workspace, and 404 if unknown', async () => {
    const [{ session }, other] = [await signIn(), await signIn()];
    const foreign = await parley.database.repository(ApiKey).findOneByOrFail({ orgId: other.orgId });
    for (const [id, code] of [
      [foreign.id, '403 forbidden'],
      [newId(), '404 not_found'],
    ]) {
      assert.equal(formatOutcome(await session.delete(`/api/api-keys/${id}`)), code);
      assert.equal(formatOutcome(await session.post(`/api/api-keys/${id}/rotate`, {})), code);
    }
    assert.equal((await other.client.get('/api/bots')).status, 200);
  });

  describe('rotated by rotateApiKey', () => {
    it('have a successor with the same scopes, and keep working for the grace period', async () => {
      const { session } = await signIn();
      const { body: old } = await session.post('/api/api-keys', { name: 'Website', scopes: ['bots:read'] });
      const { status, body } = await session.post(`/api/api-keys/${old.id}/rotate`, { grace_hours: 24 });
      assert.equal(status, 201);
      assert.deepEqual([body.name, body.scopes, body.expires_at], ['Website', ['bots:read'], null]);
      assert.notEqual(body.id, old.id);
      const { expiresAt } = await findRow(old.id);
      assert.ok(Math.abs(expiresAt!.getTime() - Date.now() - 24 * HOUR_MS) < 60_000);
      for (const { key } of [old, body])
        assert.equal((await parley.client(key).get('/api/bots')).status, 200);
    });

    it('keep the API version of the previous key, whatever version the session has', async () => {
      const { session } = await signIn();
      const { body: old } = await session.post('/api/api-keys', { name: 'Website', scopes: ['bots:read'] });
      assert.equal(old.api_version, '2026-09-03');
      const rows = parley.database.repository(ApiKey);
      for (const apiVersion of ['2025-01-01', null]) {
        await rows.update(old.id, { apiVersion, replacedAt: null, expiresAt: null });
        const { body } = await session.post(`/api/api-keys/${old.id}/rotate`, { grace_hours: 1 });
        assert.equal(body.api_version, apiVersion);
        const { body: listed } = await session.get('/api/api-keys');
        assert.equal(listed.find(({ id }: { id: string }) => id === body.id)!.api_version, apiVersion);
      }
    });

    it('stop working at once without a grace period', async () => {
      const { session } = await signIn();
      const { body: old } = await session.post('/api/api-keys', { name: 'Website', scopes: ['bots:read'] });
      const { body } = await session.post(`/api/api-keys/${old.id}/rotate`, {});
      assert.equal((await parley.client(old.key).get('/api/bots')).status, 401);
      assert.equal((await parley.client(body.key).get('/api/bots')).status, 200);
    });

    for (const [grace_hours, refused] of [
      [0, 404],
      [24, 409],
    ])
      itInSoak(
        `by two simultaneous calls have one successor, with a grace period of ${grace_hours} hours`,
        async () => {
          const { session } = await signIn();
          const { body: old } = await session.post('/api/api-keys', {
            name: 'Website',
            scopes: ['bots:read'],
          });
          const rotateKey = () => session.post(`/api/api-keys/${old.id}/rotate`, { grace_hours });
          const responses = await Promise.all([rotateKey(), rotateKey()]);
          assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, refused]);
        },
      );

    it('accept a grace period of 0 to 24 hours', async () => {
      const { session } = await signIn();
      const { body } = await session.post('/api/api-keys', { name: 'Website', scopes: ['bots:read'] });
      for (const grace of [-1, 25, 1.5, '1'])
        assert.equal(
          formatOutcome(await session.post(`/api/api-keys/${body.id}/rotate`, { grace_hours: grace })),
          '422 validation_error',
        );
    });
  });

  it('update last_used_at at most once a minute', async () => {
    const { session } = await signIn();
    const { body } = await session.post('/api/api-keys', { name: 'Website', scopes: ['bots:read'] });
    const useAndRead = async () => {
      await parley.client(body.key).get('/api/bots');
      return (await findRow(body.id)).lastUsedAt!.getTime();
    };
    const first = await useAndRead();
    assert.equal(await useAndRead(), first);
    const earlier = new Date(Date.now() - 61_000);
    await parley.database.repository(ApiKey).update(body.id, { lastUsedAt: earlier });
    assert.ok((await useAndRead()) > earlier.getTime() + 60_000);
  });
});
