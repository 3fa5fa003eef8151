import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import sharp from 'sharp';
import { LinkedIdentity } from '../../../entities/accounts/linked-identity.entity.ts';
import { Session } from '../../../entities/accounts/session.entity.ts';
import { User } from '../../../entities/accounts/user.entity.ts';
import {
  answerRequests,
  buildPerson,
  readMailedCode,
  readMailsTo,
  PASSWORD,
  signInWith,
} from '../../accounts/support.ts';
import { createAuthenticator } from '../../support/authenticator.ts';
import type { TestParley } from '../../support/parley.ts';
import { takePicture } from '../../support/pictures.ts';
import { waitUntil, waitUntilEqual } from '../../support/wait-until.ts';
import {
  assertSignedInAs,
  goToPlace,
  NAMELESS,
  signInWithPassword,
  useConsoles,
} from '../../console/support.ts';
import { useIssuer } from '../../console/use-issuer.ts';

const NEXT_PASSWORD = 'four green lamps at dusk';

describe('the account page', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  useIssuer((started) => ({ parley } = started));

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const countSessions = (userId: string) => parley.database.repository(Session).countBy({ userId });

  /** Moves the times of the person's sessions back, so that their sign-in is no longer recent. */
  const ageSessions = (userId: string) =>
    parley.database.repository(Session).update({ userId }, { createdAt: new Date(Date.now() - 3_600_000) });

  async function open(options = {}, address?: string) {
    const built = await buildPerson(parley);
    const person = { ...built, email: address ?? built.email };
    await parley.database.repository(User).update(person.userId, { email: person.email });
    const page = await consoles().openAsPerson(parley, person, '/account', options);
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    return { ...person, page };
  }

  /** Returns the error message of a field that a screen reader reads while the field has focus. */
  async function readFieldError(page: Page, label: string | RegExp): Promise<string> {
    const field = page.locator('[aria-invalid=true]').and(page.getByLabel(label));
    await field.and(page.locator(':focus')).waitFor();
    const ids = (await field.getAttribute('aria-describedby')) ?? '';
    const described = page.locator(
      ids
        .split(' ')
        .map((id) => `[id="${id}"]`)
        .join(),
    );
    return described.and(page.locator('.field-problem')).innerText();
  }

  it('changes name, password, picture and the default workspace, and shows errors at their fields', async () => {
    const { page, userId, email } = await open();
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByRole('heading', { name: 'Members', exact: true }).waitFor();
    await page.goBack();
    await page.getByLabel('Your name').waitFor();
    await waitUntilEqual(() => page.getByLabel('Your name').inputValue(), 'Ada Lovelace');
    await button(page, 'Save changes').click();
    await page.getByText('Profile updated').waitFor();
    await assertSignedInAs(page, 'Ada Lovelace');

    await signInWith(parley.client(), email);
    assert.equal(await countSessions(userId), 2);
    await button(page, 'Change password').click();
    const [present, next] = [page.getByLabel('Current password'), page.getByLabel('New password')];
    await present.fill('not the password');
    await next.fill(NEXT_PASSWORD);
    await button(page, 'Update password').click();
    assert.equal(await readFieldError(page, 'Current password'), 'This is not your password.');
    await present.fill(PASSWORD);
    await next.fill('password1');
    await button(page, 'Update password').click();
    assert.match(await readFieldError(page, 'New password'), /^The new password is a common password/);
    await next.fill(NEXT_PASSWORD);
    await next.press('Enter');
    await page.getByText('The password is changed, and all other sessions are ended.').waitFor();
    assert.equal(await countSessions(userId), 1);
    await present.waitFor({ state: 'detached' });
    await signInWith(parley.client(), email, NEXT_PASSWORD);

    const user = () => parley.database.repository(User).findOneByOrFail({ id: userId });
    const picture = page.getByLabel('Avatar URL');
    await picture.fill('https://example.com/ada.png');
    await button(page, 'Save changes').click();
    await waitUntil(async () => (await user()).avatarUrl === 'https://example.com/ada.png', 'the picture');
    await picture.fill('http://example.com/ada.png');
    await button(page, 'Save changes').click();
    assert.match(await readFieldError(page, 'Avatar URL'), /^The URL must /);
    await picture.fill('');
    await picture.press('Enter');
    await waitUntil(async () => (await user()).avatarUrl === null, 'no picture');

    await waitUntilEqual(() => page.getByLabel('Default workspace').count(), 0);
    const { client } = await parley.signIn({ userId });
    const { body: other } = await client.post('/api/orgs', { name: 'Bakery' });
    await page.reload();
    await page.getByLabel('Default workspace').selectOption('Bakery');
    await page.getByText('Default workspace updated').waitFor();
    assert.equal((await signInWith(parley.client(), email, NEXT_PASSWORD)).org_id, other.id);
  });

  it('asks for a new sign-in before sensitive actions, and closes the account with the password unless a workspace would lose its only owner', async () => {
    const { page, userId, orgId, email } = await open();
    await ageSessions(userId);
    await button(page, 'Set up').click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password', { exact: true }).fill('wrong');
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.getByText('The email address or the password is wrong.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('You signed in too long ago for this operation').first().waitFor();
    await button(page, 'Set up').click();
    await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('img', { name: /^QR code/ }).waitFor();
    assert.equal(await countSessions(userId), 1);
    await page.reload();
    await assertSignedInAs(page, 'Ada Okafor');
    assert.match(
      (await readMailsTo(parley, email)).map(({ template }) => template).join(),
      /^(new_sign_in)?$/,
    );

    const dialog = page.getByRole('dialog');
    const close = async (password: string): Promise<void> => {
      await dialog.getByLabel('Password', { exact: true }).fill(password);
      await dialog.getByRole('button', { name: 'Delete my account' }).click();
    };
    await button(page, 'Delete my account').click();
    await close('wrong');
    assert.equal(await readFieldError(page, 'Password'), 'This is not your password.');
    await close(PASSWORD);
    await dialog.getByText('You are the last owner of Acme').waitFor();
    await parley.buildOrg({ orgId });
    await close(PASSWORD);
    await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor();
    await page.getByText('Your account is closed and is being removed.').waitFor();
    const { isActive } = await parley.database.repository(User).findOneByOrFail({ id: userId });
    assert.equal(isActive, false);
  });

  it('asks for a sign-in at the identity provider if the account has no other sign-in, and returns to the action', async () => {
    const page = await consoles().open(parley, '/account');
    await button(page, 'Continue with Acme').click();
    await assertSignedInAs(page, 'Grace Hopper');
    const { id } = await parley.database.repository(User).findOneByOrFail({ email: 'grace@example.com' });
    await ageSessions(id);
    await button(page, 'Set up').click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByRole('button', { name: 'Continue with Acme' }).click();
    await again.waitFor({ state: 'detached' });
    await button(page, 'Set up').click();
    await page.getByRole('img', { name: /^QR code/ }).waitFor();
    await waitUntilEqual(() => page.url(), `${parley.baseUrl}/console/account`);
    assert.equal(await countSessions(id), 1);
    await parley.database.repository(LinkedIdentity).delete({ userId: id });
  });

  it('closes an account without a password with an emailed code, and an account with a second factor with that factor’s code', async () => {
    const mailed = await open();
    await parley.buildOrg({ orgId: mailed.orgId });
    await parley.database.repository(User).update(mailed.userId, { passwordHash: null });
    await mailed.page.reload();
    await ageSessions(mailed.userId);
    await button(mailed.page, 'Delete my account').click();
    await mailed.page.getByRole('dialog').getByRole('button', { name: 'Delete my account' }).click();
    const dialog = mailed.page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByRole('button', { name: 'Send code' }).click();
    await dialog.getByText('a code is on its way').waitFor();
    await answerRequests(parley);
    await dialog.getByLabel('Verification code').fill(await readMailedCode(parley, mailed.email));
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await mailed.page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor();

    const person = await buildPerson(parley);
    await parley.buildOrg({ orgId: person.orgId });
    const { client } = await parley.signIn(person);
    const { body: setup } = await client.post('/api/auth/mfa/setup');
    const code = createAuthenticator(setup.secret).nextCode();
    const { body } = await client.post('/api/auth/mfa/activate', { code });
    assert.equal(body.recovery_codes.length, 10);
    const page = await consoles().open(parley);
    await signInWithPassword(page, person.email, PASSWORD);
    await page.getByLabel('Authenticator code or recovery code').fill(body.recovery_codes[0]!);
    await button(page, 'Continue').click();
    await goToPlace(page, 'account');
    await button(page, 'Delete my account').click();
    const asked = page.getByRole('dialog');
    await asked.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await asked.getByLabel('Authenticator code or recovery code').fill(body.recovery_codes[1]!);
    await asked.getByRole('button', { name: 'Delete my account' }).click();
    await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor();
    assert.equal(await countSessions(person.userId), 0);
  });

  it('sets up the second factor with a QR code, renews recovery codes, and disables the factor', async () => {
    const tall = { viewport: { width: 1280, height: 1150 } };
    const { page, userId, email } = await open(tall, 'ada@example.com');
    const factor = part(page, 'Sign-in & security');
    await button(page, 'Set up').click();
    const picture = page.getByRole('img', { name: /^QR code/ });
    const { data, info } = await sharp(await picture.screenshot())
      .ensureAlpha()
      .raw()
      .toBuffer({
        resolveWithObject: true,
      });
    const uri = new URL(decodeQR({ ...info, data }));
    const secret = uri.searchParams.get('secret')!;
    const typed = await page.getByLabel('Setup key', { exact: true }).inputValue();
    assert.deepEqual([uri.protocol, typed.replaceAll(' ', '')], ['otpauth:', secret]);
    await takePicture(page, 'console-account');

    const app = createAuthenticator(secret);
    const field = page.getByLabel('6-digit code', { exact: true });
    await field.fill('000000');
    await button(page, 'Turn on').click();
    assert.equal(
      await readFieldError(page, '6-digit code'),
      'The code is wrong, has expired or was already used.',
    );
    await field.fill(app.nextCode());
    await button(page, 'Turn on').click();
    const shown = page.getByRole('dialog').getByLabel('Recovery codes');
    const first = (await shown.inputValue()).split('\n');
    assert.equal(first.length, 10);
    const downloading = page.waitForEvent('download');
    await button(page, 'Download').click();
    assert.equal(await readFile(await (await downloading).path(), 'utf8'), `${first.join('\n')}\n`);
    await button(page, "I've saved it").click();
    await factor.getByText('10 recovery codes remaining').waitFor();

    await button(page, 'Regenerate recovery codes').click();
    await field.fill(app.nextCode());
    await button(page, 'Regenerate').click();
    const second = (await shown.inputValue()).split('\n');
    assert.deepEqual(
      second.filter((each) => first.includes(each)),
      [],
    );
    for (const _ of [1, 2, 3]) await page.keyboard.press('Escape');
    await page.getByRole('alert').getByText('Have you saved it?').waitFor();
    await waitUntilEqual(async () => (await shown.inputValue()).split('\n').length, 10);
    await button(page, "I've saved it").click();

    await signInWithRecoveryCode(email, second[0]!);
    await button(page, 'Turn off').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await button(page, 'Turn off').click();
    await dialog.getByLabel('Password', { exact: true }).fill('wrong');
    await dialog.getByLabel('Authenticator code or recovery code').fill(second[1]!);
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    assert.equal(await readFieldError(page, 'Password'), 'This is not your password.');
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Two-factor authentication turned off').waitFor();
    await button(page, 'Set up').waitFor();
    assert.equal(await countSessions(userId), 1);
  });

  async function signInWithRecoveryCode(email: string, code: string): Promise<void> {
    const { body } = await parley.client().post('/api/auth/login', { email, password: PASSWORD });
    const proof = { challenge_token: body.challenge_token, code };
    assert.equal((await parley.client().post('/api/auth/mfa/verify', proof)).status, 200);
  }

  it('links an identity provider, and does not unlink it while it is the only sign-in', async () => {
    const { page, userId } = await open();
    await button(page, 'Link Acme').click();
    await part(page, 'Sign-in & security').getByText('grace@example.com').waitFor();
    await waitUntilEqual(() => page.url(), `${parley.baseUrl}/console/account`);
    await parley.database.repository(User).update(userId, { passwordHash: null });
    await page.reload();
    await page.getByText("You haven't set a password.").waitFor();
    await button(page, 'Unlink Acme').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Unlink' }).click();
    await dialog
      .getByText('acme is the only way to sign in to your account; set a password or link')
      .waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    const another = await open();
    await button(another.page, 'Link Acme').click();
    await another.page.getByText('This account at acme is already linked to another account.').waitFor();
    await button(another.page, 'Back to your account').click();
    await button(another.page, 'Link Acme').waitFor();
    await another.page.goto(`${parley.baseUrl}/console/team/settings`);
    await another.page.getByText('Members can also sign in with acme.').waitFor();
  });

  it('changes email preferences, and ends sessions', async () => {
    const { userId, email } = await buildPerson(parley);
    for (const _ of [1, 2, 3]) await parley.signIn({ userId });
    const page = await consoles().open(parley, '/account');
    await signInWithPassword(page, email, PASSWORD);
    const list = part(page, 'Active sessions');
    await button(page, 'Sign out of Tests').nth(2).waitFor();
    await list.getByText(/ on Linux/).waitFor();
    await list.getByText('127.0.0.1').first().waitFor();
    await button(page, 'Sign out of Tests').first().click();
    await page.getByText('The session is ended.').waitFor();
    assert.equal(await countSessions(userId), 3);
    await button(page, 'Sign out of all other sessions').click();
    await page.getByText('All other sessions are ended.').waitFor();
    assert.equal(await countSessions(userId), 1);

    const other = await page.context().newPage();
    await other.goto(`${parley.baseUrl}/console/account`);
    await signInWithPassword(other, email, PASSWORD);
    await other.getByLabel('Failures', { exact: true }).uncheck();
    await page.getByLabel('Usage and limits', { exact: true }).uncheck();
    await button(other, 'Save notifications').click();
    await other.getByText('Notification preferences saved').waitFor();
    await button(page, 'Save notifications').click();
    await page.getByText('Notification preferences saved').waitFor();
    await page.reload();
    await page.getByLabel('Leads', { exact: true }).waitFor();
    await waitUntilEqual(() => page.getByLabel('Usage and limits', { exact: true }).isChecked(), false);
    await waitUntilEqual(
      () => page.getByLabel('Failures', { exact: true }).isChecked(),
      false,
      'what another tab has saved',
    );
    const offered = await page
      .getByRole('group', { name: 'Email notifications' })
      .locator('label')
      .allInnerTexts();
    assert.deepEqual(
      offered.map((text) => text.trim().split(':')[0]),
      [
        'Leads',
        'Handoff requests',
        'Documents and websites',
        'Usage and limits',
        'Failures',
        'Weekly summary',
        'Product news',
        'Meetings',
      ],
    );
  });

  it('fits a phone in dark mode, and is not available to API keys', async () => {
    const { page, key } = await open({ viewport: { width: 360, height: 700 }, colorScheme: 'dark' });
    await button(page, 'Set up').click();
    await button(page, 'Turn on').waitFor();
    await waitUntilEqual(() => page.evaluate(NAMELESS), []);
    assert.ok((await page.locator('main').evaluate((main) => main.scrollWidth)) <= 360);
    const other = await consoles().openWithKey(parley, key, '/account');
    await other.getByText("You've signed in with an API key").waitFor();
  });
});
