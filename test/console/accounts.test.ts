import assert from 'node:assert/strict';
import { mailPagesToken } from '../../api/mail/mail-pages-access.ts';
import type { Page } from 'playwright-core';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import {
  answerRequests,
  buildPerson,
  readMailedCode,
  readMailsTo,
  PASSWORD,
  type TestPerson,
} from '../accounts/support.ts';
import { createAuthenticator } from '../support/authenticator.ts';
import type { TestIssuer } from '../support/openid-issuer.ts';
import type { TestParley } from '../support/parley.ts';
import { takePicture } from '../support/pictures.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import {
  assertSignedInAs,
  assertWorkspace,
  NAMELESS,
  signInWithPassword,
  signOut,
  useConsoles,
} from './support.ts';
import { useIssuer } from './use-issuer.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const NEXT_PASSWORD = 'four green lamps at dusk';

describe('account pages', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  let acme: TestIssuer;
  useIssuer((started) => ({ parley, acme } = started));

  const visit = (path: string) => consoles().visit(parley.baseUrl + path);
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const newPassword = (page: Page) => page.getByLabel(/^(New p|P)assword$/);
  const refusal = (page: Page, text: string) =>
    page.locator('[role=alert], .field-problem').getByText(text).waitFor();
  const countSessions = (userId: string) => parley.database.repository(Session).countBy({ userId });

  /** Returns the latest emailed link to an address. */
  async function readMailedLink(email: string): Promise<string> {
    await answerRequests(parley);
    return (await readMailsTo(parley, email)).at(-1)!.values['link']!;
  }

  /** Delivers emails to the local mailbox, as a worker does without a mail server. */
  async function captureMails(): Promise<void> {
    const { mailDelivery } = parley.runtime.services.mail;
    for (const { id } of await parley.database.repository(MailRow).find())
      assert.equal((await mailDelivery.attempt(parley.database, id)).state, 'kept');
  }

  /** Clicks a link in an email on the page /dev/mail. */
  async function followMailLink(page: Page, subject: string, name: string): Promise<Page> {
    await page.goto(`${parley.baseUrl}/dev/mail?token=${mailPagesToken(parley.runtime.settings)}`);
    await page.getByRole('link', { name: subject }).click();
    const opened = page.waitForEvent('popup');
    await page.frameLocator('iframe').getByRole('link', { name }).click();
    return opened;
  }

  /** Opens an emailed link, whose token leaves the browser's address before the page is visible. */
  async function follow(page: Page, link: string): Promise<Page> {
    // Open another page first, because a change of only the URL's fragment would not load the page.
    await page.goto('about:blank');
    await page.goto(link);
    await page.locator('h1').waitFor();
    await waitUntilEqual(() => page.url(), link.replace(/#.*/, ''));
    return page;
  }

  async function askForReset(page: Page, { email }: TestPerson): Promise<string> {
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByLabel('Email', { exact: true }).fill(email);
    await button(page, 'Send reset link').click();
    await page.getByRole('status').getByText('a link is on its way').waitFor();
    return readMailedLink(email);
  }

  it('register, verify the emailed link, open the console and sign out', async () => {
    const email = 'ada@example.com';
    const page = await visit('/sign-in');
    await takePicture(page, 'sign-in');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('Email', { exact: true }).fill('Ada@example.com');
    await newPassword(page).fill('password1');
    await page.getByLabel('Workspace name').fill('Analytical Engines');
    await button(page, 'Create account').click();
    await refusal(page, 'The password is a common password');
    await newPassword(page).fill(PASSWORD);
    await button(page, 'Create account').click();
    await page.getByText('Check your email').waitFor();
    await page
      .getByText("Email isn't configured, so messages are saved to the dev mailbox at /dev/mail.")
      .waitFor();

    await captureMails();
    const mailed = await followMailLink(page, 'Confirm your email', 'Confirm email');
    await mailed.getByLabel('Your password').fill('wrong');
    await button(mailed, 'Verify email').click();
    await refusal(mailed, 'The password is not the password that was set at registration');
    await mailed.getByLabel('Your password').fill(PASSWORD);
    await button(mailed, 'Verify email').click();
    assert.equal(mailed.url(), `${parley.baseUrl}/verify-email`);
    await mailed.getByText('The address is verified; sign in with your password.').waitFor();
    const { id, emailVerifiedAt } = await parley.database.repository(User).findOneByOrFail({ email });
    assert.ok(emailVerifiedAt);
    const again = { email, full_name: 'Somebody', password: PASSWORD };
    assert.equal((await parley.client().post('/api/auth/register', again)).status, 200);
    await captureMails();
    const forgotten = await followMailLink(page, 'You already have an account', 'Set a new one');
    await forgotten.getByRole('heading', { name: 'Reset your password' }).waitFor();
    await mailed.getByRole('link', { name: 'Sign in' }).click();
    await signInWithPassword(mailed, email, PASSWORD);
    await assertSignedInAs(mailed, 'Ada Lovelace');
    await assertSignedInAs(mailed, 'Analytical Engines');
    assert.equal(mailed.url(), `${parley.baseUrl}/console`);
    await mailed.reload();
    await assertSignedInAs(mailed, 'Ada Lovelace');
    assert.equal(await countSessions(id), 1);
    await signOut(mailed);
    await mailed.getByRole('heading', { name: 'Sign in to Parley' }).waitFor();
    assert.equal(await countSessions(id), 0);
    await waitUntilEqual(() => mailed.evaluate('localStorage.length + sessionStorage.length'), 0);
  });

  itInSoak('report a used link, and email another link', async () => {
    const { email, userId } = await buildPerson(parley);
    await parley.database.repository(User).update(userId, { emailVerifiedAt: null });
    await parley.client().post('/api/auth/email/resend', { email });
    const link = await readMailedLink(email);
    const page = await visit('/sign-in');
    await follow(page, link);
    await page.reload();
    await page.getByText('Open the link in your email again, or request a new one.').waitFor();
    await follow(page, link);
    await button(page, "Don't know the password? Set a new one").click();
    await newPassword(page).fill(NEXT_PASSWORD);
    await button(page, 'Verify email').click();
    await page.getByText('The address is verified; sign in with your password.').waitFor();
    await follow(page, link);
    await page.getByLabel('Your password').fill(NEXT_PASSWORD);
    await button(page, 'Verify email').click();
    await refusal(page, 'This link is invalid, has expired or was already used');
    await page.getByRole('link', { name: 'sign in' }).waitFor();
    await page.getByLabel('Email', { exact: true }).fill(email);
    await button(page, 'Send verification link').click();
    await page.getByText('a link is on its way').waitFor();
  });

  itInSoak('set a new password once with an emailed link', async () => {
    const person = await buildPerson(parley);
    const page = await visit('/sign-in');
    const link = await askForReset(page, person);
    await follow(page, link);
    await page.reload();
    await page.getByText('Open the link in your email again, or request a new one.').waitFor();
    await follow(page, link);
    await newPassword(page).fill(person.email);
    await button(page, 'Reset password').click();
    await refusal(page, 'contains your name, your address');
    await newPassword(page).fill(NEXT_PASSWORD);
    await page.getByLabel('Also revoke my API keys and unlink my sign-in providers').check();
    await button(page, 'Reset password').click();
    await page
      .getByText('Your password is set. Sign in with the new password. Nothing else gives access.')
      .waitFor();
    assert.equal((await person.client.get('/api/bots')).status, 401);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signInWithPassword(page, person.email, PASSWORD);
    await refusal(page, 'The email address or the password is wrong.');
    await page.getByLabel('Password', { exact: true }).fill(NEXT_PASSWORD);
    await button(page, 'Sign in').click();
    await assertSignedInAs(page, 'Ada Okafor');

    await follow(page, link);
    await newPassword(page).fill(PASSWORD);
    await button(page, 'Reset password').click();
    await refusal(page, 'The link is not valid, was used or has expired');
    await page.getByRole('link', { name: 'Request a new link' }).click();
    await button(page, 'Send reset link').waitFor();
  });

  itInSoak(
    'sign in with an emailed code, then a second factor: a code of the app, or a recovery code',
    async () => {
      const person = await buildPerson(parley);
      const { email } = person;
      const page = await visit('/sign-in');
      await page.getByLabel('Email', { exact: true }).fill(email);
      await button(page, 'Email me a sign-in code').click();
      await button(page, 'Send code').click();
      await page.getByText('a code is on its way').waitFor();
      await answerRequests(parley);
      const code = await readMailedCode(parley, email);
      const field = page.getByLabel('Verification code');
      await field.fill(code === '000000' ? '111111' : '000000');
      await button(page, 'Sign in').click();
      await refusal(page, 'The email address or the code is wrong');
      await field.fill(` ${code} `);
      await field.press('Enter');
      await assertSignedInAs(page, 'Ada Okafor');

      const { client } = await parley.signIn(person);
      const { body: setup } = await client.post('/api/auth/mfa/setup');
      const app = createAuthenticator(setup.secret);
      const { body } = await client.post('/api/auth/mfa/activate', { code: app.nextCode() });
      await signOut(page);
      await signInWithPassword(page, person.email, PASSWORD);
      const factor = page.getByLabel('Authenticator code or recovery code');
      await factor.fill('abcdef');
      await button(page, 'Continue').click();
      await refusal(page, 'The code is wrong, or was already used.');
      await factor.fill(app.nextCode());
      await button(page, 'Continue').click();
      await assertSignedInAs(page, 'Ada Okafor');
      await signOut(page);
      await signInWithPassword(page, person.email, PASSWORD);
      await factor.fill(body.recovery_codes[0]!);
      await factor.press('Enter');
      await assertSignedInAs(page, 'Ada Okafor');
    },
  );

  itInSoak('show how long to wait after too many attempts, and a lost connection', async () => {
    const { email } = await buildPerson(parley);
    const strict = await parley.startAnother({ signInLimitPerAccount: 1, port: 0 });
    const page = await consoles().visit(`${strict.baseUrl}/sign-in`);
    for (const _ of [1, 2, 3]) await signInWithPassword(page, email, 'wrong');
    await refusal(page, 'Too many attempts were made for this account; wait');
    await page.context().setOffline(true);
    await button(page, 'Sign in').click();
    await refusal(page, "Can't reach Parley.");
  });

  itInSoak(
    'sign in through an identity provider and return to the requested page; refuse a denied response and a response from another tab',
    async () => {
      const page = await visit('/sign-in/acme?code=0123456789abcdef&state=stolen');
      await refusal(page, 'This sign-in link has expired. Please try again.');
      await waitUntilEqual(() => page.url(), `${parley.baseUrl}/sign-in/acme`);
      await button(page, 'Start over').click();
      await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor();
      const asked = page.waitForRequest((request) => request.url().startsWith(acme.issuer));
      // Respond with status 204, which keeps the browser on its page; an empty response would open an error
      // page.
      await page.route(`${acme.issuer}/**`, (route) => route.fulfill({ status: 204 }));
      await button(page, 'Continue with Acme').click();
      const state = new URL((await asked).url()).searchParams.get('state');
      await page.goto(`${parley.baseUrl}/sign-in/acme?error=access_denied&state=${state}`);
      await refusal(page, "Acme didn't sign you in.");
      await button(page, 'Start over').click();
      await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor();

      await page.unroute(`${acme.issuer}/**`);
      await page.goto(`${parley.baseUrl}/console#/bots`);
      await button(page, 'Continue with Acme').click();
      await assertSignedInAs(page, 'Grace Hopper');
      await waitUntilEqual(() => page.url(), `${parley.baseUrl}/console/bots`);
      await waitUntilEqual(() => page.evaluate("sessionStorage.getItem('parley.identity')"), null);
      await signOut(page);
      await button(page, 'Continue with Acme').click();
      await assertSignedInAs(page, 'Grace Hopper');
    },
  );

  describe('for an invited person', () => {
    async function invite(email: string) {
      const { orgId, userId } = await parley.buildOrg();
      const { client } = await parley.signIn({ orgId, userId });
      const { status, body } = await client.post(`/api/orgs/${orgId}/invitations`, { email, role: 'admin' });
      assert.equal(status, 201, JSON.stringify(body));
      const { invitations } = parley.runtime.services.team;
      await invitations.mailLink({ orgId, db: parley.database }, body.id);
      const revoke = () => client.delete(`/api/orgs/${orgId}/invitations/${body.id}`);
      return { link: await readMailedLink(email), revoke };
    }

    itInSoak('show the workspace, and create an account there', async () => {
      const { link } = await invite('new@example.com');
      const page = await consoles().visit(link);
      for (const fact of ['Acme', 'Ada Okafor', 'admin'])
        await page.locator('dd').getByText(fact, { exact: true }).waitFor();
      await waitUntilEqual(() => page.getByLabel('Email', { exact: true }).inputValue(), 'new@example.com');
      await takePicture(page, 'invitation');
      await page.getByLabel('Your name').fill('Nina New');
      await newPassword(page).fill(PASSWORD);
      await button(page, 'Create account and join').click();
      await assertSignedInAs(page, 'Nina New');
    });

    itInSoak('explain an invitation that was accepted, revoked or has expired', async () => {
      const [accepted, revoked, expired] = [
        await invite('accepted@example.com'),
        await invite('revoked@example.com'),
        await invite('expired@example.com'),
      ];
      const page = await consoles().visit(accepted.link);
      await page.getByLabel('Your name').fill('Nina New');
      await newPassword(page).fill(PASSWORD);
      // Accept the invitation elsewhere before the person in this browser does.
      const account = { full_name: 'Nina New', password: PASSWORD };
      const token = accepted.link.split('/').at(-1);
      await parley.client().post('/api/invitations/accept', { token, ...account });
      await button(page, 'Create account and join').click();
      await assertOver(page);
      assert.equal((await revoked.revoke()).status, 200);
      await parley.database
        .repository(Invitation)
        .update({ email: 'expired@example.com' }, { expiresAt: new Date(Date.now() - 1000) });
      for (const { link } of [accepted, revoked, expired]) {
        await page.goto(link);
        await assertOver(page);
      }
      await page.getByRole('link', { name: 'sign in' }).click();
      await signInWithPassword(page, 'accepted@example.com', PASSWORD);
      await assertSignedInAs(page, 'Nina New');
    });

    async function assertOver(page: Page): Promise<void> {
      await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
      for (const text of [
        'It may have been used or revoked, or it may have expired.',
        'If you have accepted it, sign in. If not, ask for a new invitation.',
      ])
        await page.getByText(text).waitFor();
    }

    itInSoak('require the invited account to be signed in', async () => {
      const [guest, other] = [await buildPerson(parley), await buildPerson(parley)];
      const { link } = await invite(guest.email);
      const page = await consoles().visit(link);
      await page.getByText(`You already have an account: ${guest.email}.`).waitFor();
      await signInWithPassword(page, other.email, PASSWORD);
      await page.getByText(`This invitation is for ${guest.email}. Sign out`).waitFor();
      await button(page, 'Sign out').click();
      await waitUntilEqual(() => page.getByLabel('Email', { exact: true }).inputValue(), guest.email);
      await signInWithPassword(page, guest.email, PASSWORD);
      await button(page, 'Join Acme').click();
      await assertWorkspace(page, 'Acme');
    });
  });

  itInSoak('work with the keyboard, a password manager and a screen reader, and on a phone', async () => {
    const { email } = await buildPerson(parley);
    const page = await consoles().visit(`${parley.baseUrl}/sign-in`, {
      viewport: { width: 360, height: 700 },
    });
    for (const path of ['register', 'forgot-password', 'verify-email', 'reset-password#token=x', 'sign-in']) {
      await page.goto(`${parley.baseUrl}/${path}`);
      await page.locator('h1').waitFor();
      await waitUntilEqual(() => page.evaluate(NAMELESS), [], path);
      assert.ok((await page.locator('main').evaluate((main) => main.scrollWidth)) <= 360, path);
    }
    const autocomplete = 'document.activeElement.autocomplete';
    await page.locator('input:focus').waitFor();
    await waitUntilEqual(() => page.evaluate(autocomplete), 'username');
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await waitUntilEqual(() => page.evaluate(autocomplete), 'current-password');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Console' }).waitFor();
  });
});
