import assert from 'node:assert/strict';
import { scopes as allScopes } from '../../api/http/access/scopes.ts';
import { digestSecret } from '../../core/accounts/secret-digest.ts';
import { AuditEvent } from '../../entities/team/audit-event.entity.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { DeviceLogin } from '../../entities/team/device-login.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import { ExpiryRepository } from '../../repositories/installation/expiry.repository.ts';
import { readAccessMails } from '../support/access-mails.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { signInAs } from './support.ts';

const DEVICE = 'parley on laptop';
const LIFETIME_SECONDS = 600;
const INTERVAL_SECONDS = 5;
const USER_CODE = /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/;
const MISSING =
  'There is no device login with this code, or the login has expired. Check the code, or start a new login.';

describe('device logins:', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({}, { hasStoppedClock: true });
  });
  after(() => parley.stop());

  async function start(name = DEVICE, client = parley.client()) {
    const response = await client.post('/api/ext/device-logins', { client_name: name });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body;
  }
  const poll = (deviceCode: string, headers = {}, client = parley.client()) =>
    client.post('/api/ext/device-logins/poll', { device_code: deviceCode }, headers);
  const signIn = (...[role]: [Parameters<typeof signInAs>[1]?]) => signInAs(parley, role);
  type Person = Awaited<ReturnType<typeof signIn>>;
  const read = ({ session }: Person, userCode: string) => session.get(`/api/ext/device-logins/${userCode}`);
  const approve = ({ session, orgId }: Person, userCode: string, body: object = {}) =>
    session.post(`/api/ext/orgs/${orgId}/device-logins/${userCode}/approve`, body);
  const deny = ({ session }: Person, userCode: string) =>
    session.post(`/api/ext/device-logins/${userCode}/deny`);

  const forgetLimits = () => parley.database.sql('DELETE FROM rate_windows');

  /** Starts the login of a device and approves it. */
  async function startApproved(person: Person, body: object = {}) {
    const started = await start();
    assert.equal(formatOutcome(await approve(person, started.user_code, body)), '200');
    return started;
  }

  describe('before the decision,', () => {
    it('startDeviceLogin returns codes, and getDeviceLogin shows device, address and time to a signed-in person', async () => {
      const started = await start();
      const { device_code: deviceCode, user_code: userCode } = started;
      const { baseUrl } = parley.runtime.settings;
      assert.match(userCode, USER_CODE);
      assert.deepEqual(started, {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: `${baseUrl}/device`,
        verification_uri_complete: `${baseUrl}/device?code=${userCode}`,
        expires_in: LIFETIME_SECONDS,
        interval: INTERVAL_SECONDS,
      });
      const row = await parley.database.repository(DeviceLogin).findOneByOrFail({ userCode });
      assert.equal(row.deviceDigest, digestSecret(deviceCode));
      assert.ok(!JSON.stringify(row).includes(deviceCode));
      const person = await signIn('viewer');
      const typed = userCode.toLowerCase().replace('-', ' ');
      for (const code of [userCode, typed]) {
        const { id, createdAt, expiresAt } = row;
        assert.deepEqual((await read(person, code)).body, {
          id,
          user_code: userCode,
          client_name: DEVICE,
          ip_address: '127.0.0.1',
          status: 'pending',
          created_at: createdAt.toISOString(),
          expires_at: expiresAt.toISOString(),
        });
        assert.equal(expiresAt.getTime() - createdAt.getTime(), LIFETIME_SECONDS * 1000);
      }
    });

    it('startDeviceLogin refuses names that are too long or invisible', async () => {
      for (const name of ['', '\u200b', 'x'.repeat(101)]) {
        const response = await parley.client().post('/api/ext/device-logins', { client_name: name });
        assert.equal(formatOutcome(response), '422 validation_error');
        assert.equal(response.problem.details[0]!.field, 'client_name');
      }
    });

    it('startDeviceLogin refuses a network address that has started four times signInLimitPerIp logins', async () => {
      const strict = (await parley.startAnother({ signInLimitPerIp: 1 })).client();
      await forgetLimits();
      for (let turn = 0; turn < 4; turn += 1) await start(DEVICE, strict);
      const refused = await strict.post('/api/ext/device-logins', { client_name: DEVICE });
      assert.equal(formatOutcome(refused), '429 rate_limited');
      assert.match(
        refused.problem.error.message,
        /^Too many device logins were started from your IP address; wait \d+ s\.$/,
      );
    });
  });

  describe('pollDeviceLogin', () => {
    it('returns pending until the approval, and then creates the key and returns it once', async () => {
      const person = await signIn('admin');
      const { device_code: deviceCode, user_code: userCode } = await start();
      assert.deepEqual((await poll(deviceCode)).body, { status: 'pending', key: null, key_id: null });
      const countKeys = () => parley.database.repository(ApiKey).countBy({ orgId: person.orgId });
      const before = await countKeys();
      const approved = await approve(person, userCode);
      assert.deepEqual([approved.status, approved.body.status], [200, 'approved']);
      assert.equal(await countKeys(), before);
      await parley.passTime(INTERVAL_SECONDS);
      const { status, body } = await poll(deviceCode);
      assert.deepEqual([status, body.status], [200, 'approved']);
      const row = await parley.database.repository(ApiKey).findOneByOrFail({ id: body.key_id! });
      assert.deepEqual(
        [row.digest, row.name, row.orgId, row.createdById, row.expiresAt, row.scopes],
        [digestSecret(body.key!), DEVICE, person.orgId, person.userId, null, [...allScopes]],
      );
      const { body: me } = await parley.client(body.key!).get('/api/auth/me');
      assert.deepEqual([me.user.id, me.organization?.id], [person.userId, person.orgId]);
      await parley.passTime(INTERVAL_SECONDS);
      const again = await poll(deviceCode);
      assert.equal(formatOutcome(again), '409 conflict');
      assert.equal(
        again.problem.error.message,
        'The key of this login was already returned. Start a new login.',
      );
      assert.equal(await countKeys(), before + 1);
      assert.equal((await read(person, userCode)).body.status, 'consumed');
    });

    it('returns the key again if its response was lost and the request is repeated with the same Idempotency-Key', async () => {
      const { device_code: deviceCode } = await startApproved(await signIn());
      const named = { 'idempotency-key': 'once' };
      const [first, repeated] = [await poll(deviceCode, named), await poll(deviceCode, named)];
      assert.equal(first.body.status, 'approved');
      assert.deepEqual(repeated.body, first.body);
      assert.equal(repeated.headers.get('idempotent-replay'), 'true');
    });

    it('returns the key to one of eight concurrent polls at two processes, and 409 to the other polls', async () => {
      const person = await signIn();
      const { device_code: deviceCode } = await startApproved(person);
      const another = await parley.startAnother();
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          poll(deviceCode, {}, (index % 2 ? another : parley).client()),
        ),
      );
      assert.deepEqual(responses.map(formatOutcome).toSorted(), ['200', ...Array(7).fill('409 conflict')]);
      assert.equal(
        await parley.database.repository(ApiKey).countBy({ orgId: person.orgId, name: DEVICE }),
        1,
      );
    });

    it('refuses polls within the interval with 429 and Retry-After', async () => {
      const { device_code: deviceCode } = await start();
      assert.equal(formatOutcome(await poll(deviceCode)), '200');
      await parley.passTime(INTERVAL_SECONDS - 1);
      const early = await poll(deviceCode);
      assert.equal(formatOutcome(early), '429 rate_limited');
      assert.equal(early.headers.get('retry-after'), String(INTERVAL_SECONDS));
      await parley.passTime(1);
      assert.equal(formatOutcome(await poll(deviceCode)), '200');
    });

    it('and all other operations return 404 for unknown and expired codes, with the same message', async () => {
      const pending = await start();
      const approved = await startApproved(await signIn());
      await parley.passTime(LIFETIME_SECONDS);
      const person = await signIn();
      const unknown = { device_code: 'x'.repeat(43), user_code: 'BCDF-GHJK' };
      for (const { device_code: deviceCode, user_code: userCode } of [pending, approved, unknown])
        for (const response of [
          await poll(deviceCode),
          await read(person, userCode),
          await approve(person, userCode),
          await deny(person, userCode),
        ]) {
          assert.equal(formatOutcome(response), '404 not_found');
          assert.equal(response.problem.error.message, MISSING);
        }
      assert.equal(await parley.database.repository(ApiKey).countBy({ orgId: person.orgId }), 1);
    });

    it('returns 403 after denyDeviceLogin', async () => {
      const person = await signIn('viewer');
      const { device_code: deviceCode, user_code: userCode } = await start();
      const denied = await deny(person, userCode);
      assert.deepEqual([denied.status, denied.body.status], [200, 'denied']);
      const refused = await poll(deviceCode);
      assert.equal(formatOutcome(refused), '403 forbidden');
      assert.equal(refused.problem.error.message, 'The login was denied.');
    });

    it('returns 403, and creates no key, after the person who approved the login has lost the role', async () => {
      for (const change of ['demoted', 'removed'] as const) {
        const { orgId, userId, ...person } = await signIn('admin');
        const { device_code: deviceCode } = await startApproved({ orgId, userId, ...person });
        const members = parley.database.repository(Membership);
        if (change === 'demoted') await members.update({ orgId, userId }, { role: 'member' });
        else await members.delete({ orgId, userId });
        assert.equal(formatOutcome(await poll(deviceCode)), '403 forbidden', change);
        assert.equal(await parley.database.repository(ApiKey).countBy({ orgId, name: DEVICE }), 0);
      }
    });

    for (const [what, endSessions] of Object.entries({
      'a reset password': ({ userId }) =>
        parley.database.transaction((db) => parley.runtime.services.accounts.sessions.endAll(db, userId)),
      'the end of all other sessions': ({ session }) => session.post('/api/auth/sessions/revoke-others'),
      'a sign-out': ({ session }) => session.post('/api/auth/logout'),
    } satisfies Record<string, (person: Person) => Promise<unknown>>))
      it(`returns 403, and creates no key, after ${what}`, async () => {
        const person = await signIn();
        const { device_code: deviceCode } = await startApproved(person);
        const undecided = await start();
        await endSessions(person);
        const refused = await poll(deviceCode);
        assert.equal(formatOutcome(refused), '403 forbidden');
        assert.equal(refused.problem.error.message, 'The login was denied.');
        assert.equal((await poll(undecided.device_code)).body.status, 'pending');
      });

    it('returns 404 for an approved login after the person has reset the password and ended other access', async () => {
      const { userId, ...person } = await signIn();
      const { device_code: deviceCode } = await startApproved({ userId, ...person });
      await parley.database.transaction((db) => new AccountRepository().revokeOtherAccess(db, userId));
      assert.equal(formatOutcome(await poll(deviceCode)), '404 not_found');
    });
  });

  describe('at the decision,', () => {
    it('approveDeviceLogin limits the key to the given scopes', async () => {
      const { device_code: deviceCode } = await startApproved(await signIn(), { scopes: ['bots:read'] });
      const client = parley.client((await poll(deviceCode)).body.key!);
      assert.equal(formatOutcome(await client.get('/api/bots')), '200');
      assert.equal(formatOutcome(await client.post('/api/bots', { name: 'Guide' })), '403 forbidden');
      assert.equal(formatOutcome(await client.get('/api/webhooks')), '403 forbidden');
    });

    it('approveDeviceLogin and denyDeviceLogin refuse a login that was already decided', async () => {
      const person = await signIn();
      const approved = await startApproved(person);
      const denied = await start();
      await deny(person, denied.user_code);
      for (const [{ user_code: userCode }, decision] of [
        [approved, 'approved'],
        [denied, 'denied'],
      ] as const)
        for (const response of [await approve(person, userCode), await deny(person, userCode)]) {
          assert.equal(formatOutcome(response), '409 conflict');
          assert.equal(response.problem.error.message, `This login was already ${decision}.`);
        }
    });

    it('approveDeviceLogin and denyDeviceLogin accept only one of two concurrent decisions', async () => {
      const [one, other] = [await signIn(), await signIn()];
      const { user_code: userCode } = await start();
      const responses = await Promise.all([approve(one, userCode), deny(other, userCode)]);
      assert.deepEqual(responses.map(formatOutcome).toSorted(), ['200', '409 conflict']);
    });

    it('approveDeviceLogin emails the owners at the approval, and both decisions are in the audit log', async () => {
      const owner = await signIn();
      const { orgId } = owner;
      const admin = await signInAs(parley, 'admin', orgId);
      const { device_code: deviceCode, user_code: userCode } = await startApproved(admin, {
        scopes: ['bots:read', 'bots:write'],
      });
      for (const { userId } of [owner, admin]) {
        const [mail, ...others] = await readAccessMails(parley, userId);
        assert.deepEqual(others, []);
        assert.deepEqual(
          [mail!['subject'], mail!['items']],
          [
            'An API key was approved for a device in Acme',
            '“parley on laptop” at 127.0.0.1 can collect a key with the scopes bots:read, bots:write.',
          ],
        );
      }
      const { body } = await poll(deviceCode, { 'user-agent': 'parley' });
      const { id } = await parley.database.repository(DeviceLogin).findOneByOrFail({ userCode });
      const events = await parley.database
        .repository(AuditEvent)
        .find({ where: { orgId }, order: { createdAt: 'ASC', id: 'ASC' } });
      assert.deepEqual(
        events.map((event) => [event.operation, event.resourceType, event.resourceId, event.userId]),
        [
          ['approveDeviceLogin', 'device_login', id, admin.userId],
          ['pollDeviceLogin', 'api_key', body.key_id, admin.userId],
        ],
      );
      assert.equal(events[1]!.userAgent, 'parley');
    });

    it('approveDeviceLogin, denyDeviceLogin and getDeviceLogin check no code after too many wrong codes from an account, or from an address', async () => {
      const strict = await parley.startAnother({ signInLimitPerAccount: 3 });
      const { user_code: userCode } = await start();
      const { userId, orgId } = await signIn();
      const { accessToken } = await parley.signIn({ userId, orgId });
      const session = strict.client(accessToken);
      const guess = (code: string, client = session) => client.get(`/api/ext/device-logins/${code}`);
      for (let turn = 0; turn < 3; turn += 1)
        assert.equal(formatOutcome(await guess('BCDF-GHJK')), '404 not_found');
      const deny = await session.post(`/api/ext/device-logins/${userCode}/deny`);
      for (const response of [await guess(userCode), deny]) {
        assert.equal(formatOutcome(response), '429 rate_limited');
        assert.match(
          response.problem.error.message,
          /^Too many wrong codes were entered with this account; wait \d+ s\.$/,
        );
      }
      const other = await signIn();
      const next = strict.client((await parley.signIn(other)).accessToken);
      assert.equal(formatOutcome(await guess(userCode, next)), '200');
      const narrow = await parley.startAnother({ signInLimitPerIp: 2 });
      await forgetLimits();
      const here = narrow.client((await parley.signIn(other)).accessToken);
      const outcomes = [];
      for (const code of ['BCDF-GHJK', 'BCDF-GHJL', userCode])
        outcomes.push(formatOutcome(await guess(code, here)));
      assert.deepEqual(outcomes, ['404 not_found', '404 not_found', '429 rate_limited']);
    });
  });

  it('are deleted by purgeExpired once they have expired', async () => {
    const { user_code: userCode } = await start();
    const rows = parley.database.repository(DeviceLogin);
    const purge = () => new ExpiryRepository(parley.runtime.settings).deleteBatch(parley.database);
    await purge();
    assert.equal(await rows.countBy({ userCode }), 1);
    await parley.passTime(LIFETIME_SECONDS);
    await purge();
    assert.equal(await rows.countBy({ userCode }), 0);
  });
});
