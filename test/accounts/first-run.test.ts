import assert from 'node:assert/strict';
import { scopes } from '../../api/http/access/scopes.ts';
import { digestSecret } from '../../core/accounts/secret-digest.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { AccountLink } from '../../entities/accounts/account-link.entity.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { AuditEvent } from '../../entities/team/audit-event.entity.ts';
import { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import { bootstrapWorkspace } from '../../services/installation/bootstrap.ts';
import { startParley, type ApiClient, type TestParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import { NEW_PASSWORD, signInWith } from './support.ts';

const WEEK_SECONDS = 604_800;
const INVALID =
  '422 token is not valid, was used or has expired; as long as the setup is not complete, `npm start` prints a new link';

/** Formats a response as its status, and the first invalid field with its message. */
function describeOutcome(response: Awaited<ReturnType<ApiClient['post']>>): string {
  if (response.status < 400) return String(response.status);
  const [detail] = response.problem.details;
  return detail ? `${response.status} ${detail.field} ${detail.message}` : String(response.status);
}

describe('the first run:', () => {
  let parley: TestParley;
  before(async () => (parley = await startParley({}, { hasStoppedClock: true })));
  beforeEach(() => parley.database.sql('TRUNCATE users, orgs, rate_windows CASCADE'));
  after(() => parley.stop());

  const start = (changes: Partial<Settings> = {}, opensSetup = true) =>
    bootstrapWorkspace(parley.database, { ...parley.runtime.settings, ...changes }, scopes, opensSetup);
  const complete = (token: string | undefined, changes: object = {}, client = parley.client()) =>
    client.post('/api/ext/first-run', {
      token: token ?? '',
      full_name: 'Grace Hopper',
      email: 'Grace@Example.com',
      password: NEW_PASSWORD,
      workspace_name: 'Ember & Oak',
      ...changes,
    });
  const isOpen = async () => (await parley.client().get('/api/ext/first-run')).body.is_open;
  const readOwner = () => parley.database.repository(User).findOneByOrFail({});

  it('getFirstRun returns is_open true until completeFirstRun creates an owner and a workspace with a token that is stored as a digest, and signs the owner in', async () => {
    const { created, password, apiKey, setupToken = '' } = await start();
    assert.deepEqual([created, password, Buffer.from(setupToken, 'base64url').length], [true, undefined, 32]);
    const [link] = await parley.database.repository(AccountLink).find();
    assert.deepEqual([link?.digest, link?.purpose], [digestSecret(setupToken), 'first_run']);
    assert.equal(await isOpen(), true);
    const { status, body } = await complete(setupToken);
    assert.equal(status, 200, JSON.stringify(body));
    const { body: me } = await parley.client(body.access_token).get('/api/auth/me');
    const { email, full_name: fullName, is_verified: isVerified, has_password: hasPassword } = me.user;
    assert.deepEqual(
      [email, fullName, isVerified, hasPassword],
      ['grace@example.com', 'Grace Hopper', true, true],
    );
    assert.deepEqual([me.organization?.name, me.organization?.role], ['Ember & Oak', 'owner']);
    assert.equal(body.org_id, me.organization?.id);
    assert.equal((await signInWith(parley.client(), 'grace@example.com', NEW_PASSWORD)).org_id, body.org_id);
    assert.equal((await parley.client(apiKey).get('/api/bots')).status, 200);
    assert.equal(await isOpen(), false);
    const events = await parley.database
      .repository(AuditEvent)
      .find({ where: { operation: 'completeFirstRun' }, order: { resourceType: 'ASC' } });
    assert.deepEqual(
      events.map(({ resourceType, userId, changedFields }) => ({ resourceType, userId, changedFields })),
      [
        {
          resourceType: 'account',
          userId: me.user.id,
          changedFields: ['full_name', 'email', 'password', 'workspace_name'],
        },
        { resourceType: 'session', userId: me.user.id, changedFields: [] },
      ],
    );
  });

  it('completeFirstRun refuses a token that was used, is wrong or has expired', async () => {
    const { setupToken } = await start();
    assert.equal(describeOutcome(await complete('x'.repeat(43))), INVALID);
    await parley.passTime(WEEK_SECONDS - 1);
    assert.equal(await isOpen(), true);
    await parley.passTime(1);
    assert.equal(await isOpen(), false);
    assert.equal(describeOutcome(await complete(setupToken)), INVALID);
    const { setupToken: next } = await start();
    assert.equal(describeOutcome(await complete(next)), '200');
    assert.equal(describeOutcome(await complete(next)), INVALID);
  });

  it('completeFirstRun accepts one of eight concurrent requests', async () => {
    const { setupToken } = await start();
    const responses = await Promise.all(Array.from({ length: 8 }, () => complete(setupToken)));
    assert.deepEqual(responses.map(describeOutcome).toSorted(), ['200', ...Array<string>(7).fill(INVALID)]);
    assert.equal(await parley.database.repository(Session).count(), 1);
  });

  it('completeFirstRun changes nothing for a weak password, an invisible name or the email of another account', async () => {
    const { setupToken, email } = await start();
    const before = await readOwner();
    assert.equal(before.email, email);
    const refusals: [object, string][] = [
      [{ password: 'password1' }, '422 password is a common password; choose another one'],
      [
        { password: 'Grace Hopper 1' },
        '422 password contains your name, your address or the name of this service; choose another one',
      ],
      [{ workspace_name: '\u200b\u200b' }, '422 workspace_name must contain visible characters'],
    ];
    for (const [changes, refusal] of refusals)
      assert.equal(describeOutcome(await complete(setupToken, changes)), refusal);
    const { userId } = await parley.buildOrg();
    assert.equal(
      describeOutcome(await complete(setupToken, { email: `${userId}@example.com` })),
      '422 email is the address of another account; choose a different one',
    );
    assert.deepEqual(await parley.database.repository(User).findOneByOrFail({ id: before.id }), before);
    assert.equal(await parley.database.repository(AccountLink).count(), 1);
    assert.equal(describeOutcome(await complete(setupToken)), '200');
  });

  it('completeFirstRun changes nothing and returns 409 conflict if another account takes the email at the same time', async () => {
    const { setupToken } = await start();
    const before = await readOwner();
    const other = { email: 'grace@example.com', fullName: 'Other', passwordHash: null };
    const { pending } = await parley.database.transaction(async (db) => {
      await new AccountRepository().insert(db, other);
      const sent = complete(setupToken);
      await waitUntilBlocked(parley.database, 'the setup');
      return { pending: sent };
    });
    assert.equal(formatOutcome(await pending), '409 conflict');
    assert.deepEqual(await parley.database.repository(User).findOneByOrFail({ id: before.id }), before);
    assert.equal(await isOpen(), true);
  });

  it('completeFirstRun refuses the token after the owner has signed in in another way', async () => {
    const { setupToken, apiKey } = await start();
    await parley.client(apiKey).post('/api/bots', { name: 'Help desk' });
    assert.equal(await isOpen(), true);
    await parley.signIn({ userId: (await readOwner()).id });
    assert.equal(await isOpen(), false);
    assert.equal(describeOutcome(await complete(setupToken)), INVALID);
    assert.equal((await start()).setupToken, undefined);
  });

  it('completeFirstRun limits wrong tokens per network address', async () => {
    const { setupToken } = await start();
    const { client } = await parley.startAnother({ signInLimitPerIp: 2 });
    for (const token of ['x'.repeat(43), 'y'.repeat(43)])
      assert.equal(describeOutcome(await complete(token, {}, client())), INVALID);
    assert.equal(describeOutcome(await complete(setupToken, {}, client())), '429');
  });

  it('each start replaces the link until the setup is complete', async () => {
    const first = await start();
    const second = await start();
    assert.deepEqual([second.created, second.apiKey], [false, undefined]);
    assert.equal(describeOutcome(await complete(first.setupToken)), INVALID);
    assert.equal(describeOutcome(await complete(second.setupToken)), '200');
    assert.equal((await start()).setupToken, undefined);
  });

  it('no link is created if the operator sets a password, or without a start screen', async () => {
    assert.equal(typeof (await start({}, false)).password, 'string');
    assert.equal((await start()).setupToken, undefined);
    await parley.database.sql('TRUNCATE users, orgs CASCADE');
    const { email, ...created } = await start({ bootstrapPassword: NEW_PASSWORD });
    assert.deepEqual(Object.keys(created), ['created', 'apiKey']);
    await signInWith(parley.client(), email, NEW_PASSWORD);
  });

  it('a password that the operator sets before the setup is complete replaces the link', async () => {
    const { setupToken, email } = await start();
    assert.equal((await start({}, false)).setupToken, undefined);
    assert.equal(await isOpen(), true);
    assert.equal((await start({ bootstrapPassword: NEW_PASSWORD })).setupToken, undefined);
    assert.equal(await isOpen(), false);
    assert.equal(describeOutcome(await complete(setupToken)), INVALID);
    await signInWith(parley.client(), email, NEW_PASSWORD);
  });
});
