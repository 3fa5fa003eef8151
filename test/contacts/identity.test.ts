import assert from 'node:assert/strict';
import { generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { encodeJsonBase64url, signIdentityToken } from '../support/identity-token.ts';
import { type TestParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';
import { ADA, useIdentity } from './identity-support.ts';
import { listContacts } from './support.ts';

const now = () => Math.floor(Date.now() / 1000);

describe('identity tokens:', () => {
  let parley: TestParley;
  const { build, start } = useIdentity((started) => (parley = started));

  describe('the secret of a bot:', () => {
    it('getBotEmbed shows the secret to members who may change the bot', async () => {
      const { bot, orgId, secret } = await build();
      assert.match(secret, /^idsec_[A-Za-z0-9_-]{43}$/);
      const readIdentitySecret = async (overrides: object) => {
        const { client } = await parley.buildOrg({ orgId, ...overrides });
        return (await client.get(`/api/bots/${bot.id}/embed`)).body.identity_secret;
      };
      assert.equal(await readIdentitySecret({ role: 'member' }), secret);
      assert.equal(await readIdentitySecret({ role: 'viewer' }), null);
      assert.equal(await readIdentitySecret({ scopes: ['bots:read'] }), null);
    });

    it('updateBot rotates the secret: the previous secret stays valid for the grace period, or expires at once without a grace period', async () => {
      const { client, bot, secret: first } = await build();
      const clock = { now: () => new Date(Date.now() + clock.aheadMs), aheadMs: 0 };
      const later = await parley.startAnother({}, { clock });
      const rotate = async (rotation: object) => {
        const { status } = await client.patch(`/api/bots/${bot.id}`, { rotate_identity_secret: rotation });
        assert.equal(status, 200);
        const { body } = await client.get(`/api/bots/${bot.id}/embed`);
        return body as { identity_secret: string; former_identity_secret_until: string | null };
      };
      const startWithSecret = async (secret: string) => {
        const exp = Math.floor(clock.now().getTime() / 1000) + 300;
        const response = await later.client().post(`/api/public/bots/${bot.public_key}/sessions`, {
          identity_token: signIdentityToken(secret, { ...ADA, exp }),
        });
        return response.status;
      };
      const { identity_secret: second, former_identity_secret_until: until } = await rotate({
        grace_hours: 2,
      });
      assert.notEqual(second, first);
      assert.ok(Math.abs(new Date(until!).getTime() - Date.now() - 2 * 3_600_000) < 60_000);
      assert.deepEqual([await startWithSecret(first), await startWithSecret(second)], [201, 201]);
      clock.aheadMs = 2 * 3_600_000 + 1000;
      assert.deepEqual([await startWithSecret(first), await startWithSecret(second)], [422, 201]);
      clock.aheadMs = 0;
      const { identity_secret: third, former_identity_secret_until: none } = await rotate({});
      assert.equal(none, null);
      assert.deepEqual(
        [await startWithSecret(first), await startWithSecret(second), await startWithSecret(third)],
        [422, 422, 201],
      );
      const tooLong = await client.patch(`/api/bots/${bot.id}`, {
        rotate_identity_secret: { grace_hours: 25 },
      });
      assert.equal(tooLong.status, 422);
    });

    it('createBot generates a different secret for each bot', async () => {
      const [one, other] = [await build(), await build()];
      assert.notEqual(one.secret, other.secret);
    });
  });

  describe('startWidgetSession refuses identity tokens, and starts no session,', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const cases: [what: string, token: (secret: string) => string, message: RegExp, code?: string][] = [
      ['if they are malformed', () => 'hello', /not a JWT/],
      ['if they are empty', () => '', /not a JWT/],
      ['with another secret', () => signIdentityToken('idsec_other', ADA), /not signed/],
      ['without a signature', (secret) => signIdentityToken(secret, ADA).replace(/[^.]+$/, ''), /not signed/],
      [
        'of algorithm none',
        () => `${encodeJsonBase64url({ alg: 'none' })}.${encodeJsonBase64url({ ...ADA, exp: now() + 60 })}.`,
        /not signed/,
      ],
      ['of HS512', (secret) => signIdentityToken(secret, ADA, { alg: 'HS512' }), /not signed/],
      [
        'with a critical extension',
        (secret) => signIdentityToken(secret, ADA, { alg: 'HS256', crit: ['x'], x: 1 }),
        /not signed/,
      ],
      [
        'of RS256',
        () => {
          const body = `${encodeJsonBase64url({ alg: 'RS256' })}.${encodeJsonBase64url({ ...ADA, exp: now() + 60 })}`;
          return `${body}.${signBytes('sha256', Buffer.from(body), privateKey).toString('base64url')}`;
        },
        /not signed/,
      ],
      [
        'that have expired',
        (secret) => signIdentityToken(secret, { ...ADA, exp: now() - 1 }),
        /expired/,
        'expired',
      ],
      [
        'that live longer than an hour',
        (secret) => signIdentityToken(secret, { ...ADA, exp: now() + 3700 }),
        /within an hour/,
      ],
      [
        'that were issued for longer than an hour',
        (secret) => signIdentityToken(secret, { ...ADA, iat: now() - 3540, exp: now() + 120 }),
        /within an hour/,
      ],
      [
        'without an issue time, if they expire a second too late',
        (secret) => signIdentityToken(secret, { ...ADA, exp: now() + 3605 }),
        /within an hour/,
      ],
      ['without an expiry', (secret) => signIdentityToken(secret, { ...ADA, exp: undefined }), /claim exp/],
      [
        'with a string as expiry',
        (secret) => signIdentityToken(secret, { ...ADA, exp: 'tomorrow' }),
        /claim exp/,
      ],
      ['issued in the future', (secret) => signIdentityToken(secret, { ...ADA, iat: now() + 120 }), /iat/],
      ['that are not valid yet', (secret) => signIdentityToken(secret, { ...ADA, nbf: now() + 120 }), /nbf/],
      ['without a subject', (secret) => signIdentityToken(secret, { email: ADA.email }), /claim sub/],
      ['with a blank subject', (secret) => signIdentityToken(secret, { sub: ' ' }), /sub/],
      [
        'with a number as subject',
        (secret) => signIdentityToken(secret, { sub: 17 }),
        /\(sub\) with a string, as in "sub": "17"$/,
      ],
      ['with a NUL in the subject', (secret) => signIdentityToken(secret, { sub: 'a\0b' }), /sub/],
      [
        'with a lone surrogate in the subject',
        (secret) => signIdentityToken(secret, { sub: '\ud800' }),
        /sub/,
      ],
      [
        'with a subject of 256 characters',
        (secret) => signIdentityToken(secret, { sub: 'x'.repeat(256) }),
        /sub/,
      ],
      ['with an invalid address', (secret) => signIdentityToken(secret, { sub: 'x', email: 'ada' }), /email/],
      [
        'with a list as address',
        (secret) => signIdentityToken(secret, { sub: 'x', email: ['a@b.example'] }),
        /email/,
      ],
    ];
    for (const [what, token, message, code = 'invalid'] of cases) {
      it(what, async () => {
        const org = await build();
        const { status, body, problem } = await start(org.bot.public_key, {
          identity_token: token(org.secret),
        });
        assert.equal(formatOutcome({ status, body }), '422 validation_error');
        const { field, code: told, message: why } = problem.details[0]!;
        assert.deepEqual([field, told], ['identity_token', code]);
        assert.match(why, message);
        assert.equal((await org.client.get('/api/conversations')).body.total, 0);
        assert.deepEqual(await listContacts(org), []);
      });
    }

    it('if they are signed for another bot', async () => {
      const [org, foreign] = [await build(), await build()];
      const { status } = await start(org.bot.public_key, {
        identity_token: signIdentityToken(foreign.secret, ADA),
      });
      assert.equal(status, 422);
    });
  });

  it('startWidgetSession accepts an identity token again with the same Idempotency-Key', async () => {
    const org = await build();
    const body = { visitor_id: 'v', identity_token: signIdentityToken(org.secret, ADA) };
    const headers = { 'idempotency-key': 'one' };
    const [one, again] = [
      await start(org.bot.public_key, body, headers),
      await start(org.bot.public_key, body, headers),
    ];
    assert.deepEqual(again.body, one.body);
    assert.equal((await listContacts(org))[0]!.conversation_count, 1);
  });
});
