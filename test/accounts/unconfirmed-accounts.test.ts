import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { AccountLink } from '../../entities/accounts/account-link.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { deleteUnconfirmedAccounts } from '../../repositories/accounts/unconfirmed-accounts.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildAccountCalls, readMailedToken, NEW_PASSWORD, signInWith } from './support.ts';

const DAY = 24 * 3_600_000;

describe('purgeExpired, for accounts whose address was never confirmed,', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  const { post, register } = buildAccountCalls(() => parley);

  /** Registers an account as if `days` days ago. Its confirmation link has expired unless `hasValidLink`. */
  async function buildUnconfirmed(days: number, { hasValidLink = false } = {}) {
    const { database: db } = parley;
    const email = `${newId()}@example.com`;
    assert.equal((await register(email, { organization_name: 'Acme' })).status, 200);
    const { id: userId } = await db.repository(User).findOneByOrFail({ email });
    await db.repository(User).update(userId, { createdAt: new Date(Date.now() - days * DAY) });
    if (!hasValidLink)
      await db.repository(AccountLink).update({ userId }, { expiresAt: new Date(Date.now() - DAY) });
    const { orgId } = await db.repository(Membership).findOneByOrFail({ userId });
    return { email, userId, orgId };
  }
  const exists = async ({ userId, orgId }: { userId: string; orgId: string }) => [
    await parley.database.repository(User).existsBy({ id: userId }),
    await parley.database.repository(Org).existsBy({ id: orgId }),
  ];

  it('deletes them with their workspaces after 7 days', async () => {
    const [old, other, recent] = [
      await buildUnconfirmed(7.01),
      await buildUnconfirmed(400),
      await buildUnconfirmed(6.9),
    ];
    assert.equal(await deleteUnconfirmedAccounts(parley.database), 2);
    for (const account of [old, other]) assert.deepEqual(await exists(account), [false, false]);
    assert.deepEqual(await exists(recent), [true, true]);
  });

  it('keeps those with an unexpired link, which can still be confirmed', async () => {
    const account = await buildUnconfirmed(30, { hasValidLink: true });
    assert.equal(await deleteUnconfirmedAccounts(parley.database), 0);
    const token = await readMailedToken(parley, account.email);
    assert.equal((await post('/api/auth/email/verify', { token, password: NEW_PASSWORD })).status, 200);
    assert.equal(await deleteUnconfirmedAccounts(parley.database), 0);
    await signInWith(parley.client(), account.email, NEW_PASSWORD);
    assert.deepEqual(await exists(account), [true, true]);
  });

  it('keeps those whose workspace has another member, a parent or a child', async () => {
    const { database: db } = parley;
    const [shared, below, above] = [
      await buildUnconfirmed(8),
      await buildUnconfirmed(8),
      await buildUnconfirmed(8),
    ];
    const { orgId, userId } = await parley.buildOrg();
    await db.repository(Membership).insert({ id: newId(), orgId: shared.orgId, userId, role: 'member' });
    await db.repository(Org).update(below.orgId, { parentOrgId: orgId });
    await db.repository(Org).update(orgId, { parentOrgId: above.orgId });
    assert.equal(await deleteUnconfirmedAccounts(db), 0);
    for (const account of [shared, below, above]) assert.deepEqual(await exists(account), [true, true]);
  });

  it('lets the address register again afterwards', async () => {
    const { email } = await buildUnconfirmed(8);
    await deleteUnconfirmedAccounts(parley.database);
    assert.equal((await register(email)).status, 200);
    const token = await readMailedToken(parley, email);
    assert.equal((await post('/api/auth/email/verify', { token, password: NEW_PASSWORD })).status, 200);
  });
});
