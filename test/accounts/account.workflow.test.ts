import assert from 'node:assert/strict';
import { AccountLink } from '../../entities/accounts/account-link.entity.ts';
import { AccountRequest } from '../../entities/accounts/account-request.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { buildPerson, PASSWORD } from './support.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';

describe('account workflows:', () => {
  let parley: TestParleyWithWorker;

  before(async () => {
    parley = await startParleyWithWorker();
  });

  after(() => parley.stop());

  it('sendAccountMail emails the person who forgot the password', async () => {
    const { email, userId } = await buildPerson(parley);
    await parley.client().post('/api/auth/password/forgot', { email });
    await waitUntil(
      async () => (await parley.database.repository(AccountRequest).count()) === 0,
      'the request to be answered',
    );
    const links = await parley.database.repository(AccountLink).findBy({ userId });
    assert.deepEqual(
      links.map(({ purpose }) => purpose),
      ['reset_password'],
    );
  });

  it('deleteAccount removes a closed account', async () => {
    const person = await buildPerson(parley);
    await parley.buildOrg({ orgId: person.orgId });
    const { client } = await parley.signIn(person);
    await client.patch('/api/auth/me', { full_name: 'Ada King' }, { 'idempotency-key': 'name' });
    await parley.client().post('/api/auth/otp/request', { email: person.email });
    const codes = () => parley.database.sql('SELECT FROM sign_in_codes WHERE email = $1', [person.email]);
    await waitUntil(async () => (await codes()).length === 1, 'the code to be made');
    assert.equal((await client.post('/api/auth/me/delete', { password: PASSWORD })).status, 202);
    const users = parley.database.repository(User);
    await waitUntil(async () => !(await users.existsBy({ id: person.userId })), 'the account to be gone');
    assert.deepEqual(await codes(), []);
    const kept = 'SELECT FROM idempotency_keys WHERE principal LIKE $1';
    assert.deepEqual(await parley.database.sql(kept, [`%:${person.userId}`]), []);
    await parley.temporal.workflow.getHandle(`delete-account/${person.userId}`).result();
  });
});
