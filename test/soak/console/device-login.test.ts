import assert from 'node:assert/strict';
import { Session } from '../../../entities/accounts/session.entity.ts';
import { buildPerson, PASSWORD } from '../../accounts/support.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { buildChild } from '../../team/support.ts';
import { NAMELESS, signInWithPassword, useConsoles } from '../../console/support.ts';

describe('the page for device logins', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  async function start() {
    const { body } = await parley
      .client()
      .post('/api/ext/device-logins', { client_name: 'parley on laptop' });
    const poll = () => parley.client().post('/api/ext/device-logins/poll', { device_code: body.device_code });
    return { code: body.user_code, poll };
  }

  it('asks to sign in, shows the device, and approves it for the chosen workspace after another sign-in', async () => {
    const person = await buildPerson(parley);
    const { client: session } = await parley.signIn(person);
    const branch = await buildChild(session, person.orgId, 'Branch');
    const { code, poll } = await start();
    const page = await consoles().visit(`${parley.baseUrl}/device?code=${code}`, {
      viewport: { width: 320, height: 800 },
    });
    await page.getByText('A device is requesting access to your account.').waitFor();
    await signInWithPassword(page, person.email, PASSWORD);
    for (const shown of [code, 'parley on laptop', '127.0.0.1', person.email])
      await page.getByRole('definition').getByText(shown, { exact: true }).waitFor();
    assert.deepEqual(await page.evaluate(NAMELESS), []);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
    await parley.database
      .repository(Session)
      .update({ userId: person.userId }, { createdAt: new Date(Date.now() - 11 * 60_000) });
    await page.getByLabel('Workspace').selectOption({ label: 'Branch' });
    await page.getByRole('button', { name: 'Approve' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Sign-in approved. Return to your device').waitFor();
    const { body } = await poll();
    const { body: me } = await parley.client(body.key!).get('/api/auth/me');
    assert.equal(me.organization?.id, branch.id);
  });

  it('accepts a typed code, says that a wrong code does not exist, and denies the login', async () => {
    const person = await buildPerson(parley);
    const { code, poll } = await start();
    const page = await consoles().visit(`${parley.baseUrl}/device`);
    await signInWithPassword(page, person.email, PASSWORD);
    const enter = async (typed: string) => {
      await page.getByLabel('Code').fill(typed);
      await page.getByRole('button', { name: 'Continue' }).click();
    };
    await enter('BCDF-GHJK');
    await page.getByRole('alert').getByText('There is no device login with this code').waitFor();
    await page.getByRole('button', { name: 'Enter another code' }).click();
    await enter(code.toLowerCase());
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('Sign-in denied.').waitFor();
    assert.equal((await poll()).status, 403);
  });
});
