import assert from 'node:assert/strict';
import { request, type Page, type Request } from 'playwright-core';
import { newId } from '../../core/ids.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { buildPerson, PASSWORD } from '../accounts/support.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import {
  chooseKey,
  assertSignedInAs,
  signIn,
  signInWithPassword,
  signOut,
  switchWorkspace,
  useConsoles,
} from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('a sign-in to the console', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley?.stop());

  it('reports a wrong key or an unreachable Parley, and accepts a valid key', async () => {
    const { key } = await parley.buildOrg();
    const page = await consoles().open(parley);
    await chooseKey(page);
    for (const wrong of ['nonsense', 'not a key at all', `${key.slice(0, -1)}é`]) {
      await page.getByLabel('API key').fill(wrong);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByText('Invalid API key.').waitFor();
    }
    await page.context().setOffline(true);
    await page.getByLabel('API key').fill(`  ${key} `);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText("Can't reach Parley.").waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
  });

  itInSoak(
    'keeps page and key after a reload, only in this tab, puts no key into the URL, and signs out once the key is revoked',
    async () => {
      const { key, orgId } = await parley.buildOrg();
      const page = await consoles().open(parley, '#/webhooks/deliveries?status=failed');
      await signIn(page, key);
      await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
      await page.getByRole('button', { name: 'Status: Failed' }).waitFor();
      await waitUntilEqual(() => page.url(), `${parley.baseUrl}/console/webhooks/deliveries?status=failed`);
      const another = await page.context().newPage();
      await another.goto(`${parley.baseUrl}/console`);
      await another.getByRole('heading', { name: 'Sign in to Parley' }).waitFor();

      await parley.database.sql('UPDATE api_keys SET revoked_at = now() WHERE org_id = $1', [orgId]);
      // Change the page by script: during a click, the API might first refuse another request of the page.
      await page.evaluate("location.hash = '#/conversations'");
      await page.getByText('This API key was revoked or has expired.').waitFor();
      await waitUntilEqual(() => page.evaluate('sessionStorage.length'), 0);
    },
  );

  itInSoak('lasts in other tabs if the user chooses to stay signed in, until a tab signs out', async () => {
    const { key } = await parley.buildOrg();
    const page = await consoles().open(parley);
    await page.getByLabel('Keep me signed in').check();
    await signIn(page, key);
    const another = await page.context().newPage();
    await another.goto(`${parley.baseUrl}/console`);
    await signOut(another);
    await another.getByRole('heading', { name: 'Sign in to Parley' }).waitFor();
    await page.getByText('You signed out in another tab.').waitFor();
    await waitUntilEqual(() => page.evaluate('localStorage.length + sessionStorage.length'), 0);
  });

  itInSoak(
    'shows only what the scopes of a key allow, and names the missing scope on other pages',
    async () => {
      const { key } = await parley.buildOrg({ scopes: ['bots:read'] });
      const page = await consoles().openWithKey(parley, key, '/inbox');
      await page.getByText("You don't have permission: The key lacks the scope inbox:read.").waitFor();
      await page.getByText('No live updates').waitFor();
      await page.getByRole('link', { name: 'Bots' }).click();
      await page.getByText('No bots yet').waitFor();
      await waitUntilEqual(() => page.getByRole('button', { name: 'Start from scratch' }).count(), 0);
      await waitUntilEqual(() => page.getByRole('link', { name: 'Webhooks' }).count(), 0);
      await page.evaluate("location.hash = '#/webhooks'");
      await page.getByText('The key lacks the scope webhooks:read.').first().waitFor();
      await waitUntilEqual(() => page.getByRole('button', { name: 'Add endpoint' }).count(), 0);
    },
  );
});

describe('a console session', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  before(async () => (parley = await startParley({}, { clock })));
  after(() => parley?.stop());
  beforeEach(() => (aheadMs = 0));

  const ACCESS_MS = 16 * 60_000;
  const KEPT = "sessionStorage.getItem('parley.console') ?? localStorage.getItem('parley.console')";

  const QUIET_LOOKS = 4;

  const renewing = new Set<Request>();

  /**
   * Waits until all tabs have the latest tokens and no refresh is pending. A late refresh would look like a
   * stolen token and end the session.
   */
  async function waitUntilRefreshed(tabs: Page[]): Promise<void> {
    const tokens = () =>
      Promise.all(tabs.map((tab) => tab.evaluate<string>(`JSON.parse(${KEPT}).refreshToken`)));
    // Look several times, because the browser reports a request some time after sending it.
    let quietLooks = 0;
    await waitUntil(async () => {
      const isQuiet = new Set(await tokens()).size === 1 && renewing.size === 0;
      quietLooks = isQuiet ? quietLooks + 1 : 0;
      return quietLooks === QUIET_LOOKS;
    }, 'one token');
  }

  /** Lets the access tokens of tabs expire. Sets the clock last, since tabs refresh their tokens at once after it. */
  async function letTimePass(...tabs: Page[]): Promise<void> {
    await waitUntilRefreshed(tabs);
    await parley.database.sql("UPDATE sessions SET rotated_at = now() - interval '1 minute'");
    aheadMs += ACCESS_MS;
  }

  async function begin(place = '', staysSignedIn = false) {
    const person = await buildPerson(parley);
    if (!staysSignedIn)
      return { ...person, page: trackRenewals(await consoles().openAsPerson(parley, person, place)) };
    const page = trackRenewals(await consoles().open(parley, place));
    await page.getByLabel('Keep me signed in').check();
    await signInWithPassword(page, person.email, PASSWORD);
    await assertSignedInAs(page, 'Ada Okafor');
    return { ...person, page };
  }

  /** Records token refreshes of the page and of the other tabs. */
  function trackRenewals(page: Page): Page {
    const context = page.context();
    context.on('request', (request) => {
      if (request.url().endsWith('/api/auth/refresh')) renewing.add(request);
    });
    for (const end of ['requestfinished', 'requestfailed'] as const)
      context.on(end as 'requestfinished', (request) => renewing.delete(request));
    return page;
  }

  const nothing = {
    Bots: 'No bots yet',
    Webhooks: 'No endpoints yet',
    Contacts: 'No contacts yet',
    Alerts: 'No alerts yet',
    Conversations: 'No conversations yet',
  };

  /** Opens a page of the console that needs a request, and waits until it shows the response. */
  async function openPage(page: Page, name: keyof typeof nothing): Promise<void> {
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByText(nothing[name]).waitFor();
  }

  const listSessions = (userId: string) =>
    parley.database.repository(Session).find({ where: { userId }, select: { id: true, generation: true } });

  it('continues after its access token expires, a refresh response is lost, or its tab is copied', async () => {
    const { page, userId } = await begin();
    const opened = page.waitForEvent('popup');
    await page.evaluate('void window.open(location.href)');
    const copy = await opened;
    await assertSignedInAs(copy, 'Ada Okafor');
    for (const tab of [page, copy]) await tab.getByRole('heading', { name: 'Home' }).waitFor();
    await page.route(
      '**/api/auth/refresh',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await letTimePass(page, copy);
    await openPage(page, 'Contacts');
    await letTimePass(page, copy);
    await openPage(copy, 'Alerts');
    await letTimePass(page, copy);
    await Promise.all([openPage(page, 'Conversations'), openPage(copy, 'Contacts')]);
    const [session, ...others] = await listSessions(userId);
    assert.deepEqual(others, []);
    assert.equal(session!.generation, 3);
  });

  itInSoak('is shared by all tabs if it is stored, and ends in all of them', async () => {
    const { page, userId } = await begin('', true);
    const another = await page.context().newPage();
    await another.goto(`${parley.baseUrl}/sign-in`);
    await assertSignedInAs(another, 'Ada Okafor');
    await letTimePass(page, another);
    await Promise.all([openPage(page, 'Conversations'), openPage(another, 'Bots')]);
    await letTimePass(page, another);
    await openPage(another, 'Webhooks');
    await openPage(page, 'Bots');
    await signOut(another);
    await page.getByText('You signed out in another tab.').waitFor();
    assert.deepEqual(await listSessions(userId), []);
  });

  itInSoak(
    'shows the sign-in after its end, then the requested page, and ends locally if the API is unreachable',
    async () => {
      const place = '#/webhooks/deliveries?status=failed';
      const { page, userId, email } = await begin(place);
      // Wait for pending requests: a 401 response would show the end of the session before the reload.
      await page.getByText('No deliveries match your filters.').waitFor();
      await parley.database.repository(Session).delete({ userId });
      await page.reload();
      await page.getByText('Your session expired.').waitFor();
      await signInWithPassword(page, email, PASSWORD);
      await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
      await page.getByRole('button', { name: 'Status: Failed' }).waitFor();
      await waitUntilEqual(() => page.url(), `${parley.baseUrl}/console/webhooks/deliveries?status=failed`);

      await page.context().setOffline(true);
      await signOut(page);
      await page.getByText("You're signed out here, but the session couldn't be ended").waitFor();
      await waitUntilEqual(() => page.evaluate('localStorage.length + sessionStorage.length'), 0);
    },
  );

  itInSoak('can switch to another workspace of its person, and stays there after a reload', async () => {
    const [first, second] = [await buildPerson(parley), await parley.buildOrg()];
    await parley.database.repository(Org).update(second.orgId, { name: 'Globex' });
    await parley.database
      .repository(Membership)
      .insert({ id: newId(), orgId: second.orgId, userId: first.userId, role: 'viewer' });
    await second.client.post('/api/bots', { name: 'Hank' });
    const page = await consoles().openAsPerson(parley, first, '#/bots');
    await page.getByText('No bots yet').waitFor();
    const name = page.locator('.user-name');
    await waitUntilEqual(() => name.evaluate((shown) => shown.scrollWidth <= shown.clientWidth), true);
    await switchWorkspace(page, 'Globex');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.getByRole('link', { name: 'Bots' }).click();
    await page.getByText('Hank').waitFor();
    await page.reload();
    await page.getByText('Hank').waitFor();
  });

  itInSoak('lets a person without a workspace create a workspace, and delete it', async () => {
    const { userId, email } = await buildPerson(parley);
    await parley.database.sql(
      'DELETE FROM orgs o USING memberships m WHERE m.org_id = o.id AND m.user_id = $1',
      [userId],
    );
    const page = await consoles().open(parley);
    await signInWithPassword(page, email, PASSWORD);
    await page.getByLabel('Workspace name').fill('Fresh start');
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await assertSignedInAs(page, 'Fresh start');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.goto(`${parley.baseUrl}/console#/team/settings`);
    const deletion = page.getByRole('button', { name: 'Delete workspace' });
    await deletion.click();
    await page.getByRole('dialog', { name: 'Delete Fresh start?' }).getByRole('button').last().click();
    await page.getByText('Fresh start deleted').waitFor();
    await page.getByRole('button', { name: 'Create workspace' }).waitFor();
  });
});

describe('the document of the console', () => {
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley.stop());

  it('runs only its own scripts and calls only its own server, and cannot be framed', async () => {
    for (const path of [
      '/console',
      '/console/',
      '/console/webhooks/deliveries?status=failed',
      '/sign-in',
      '/sign-in/google?code=c&state=s',
      '/register',
      '/forgot-password',
      '/reset-password',
      '/verify-email',
      '/invitations/a-token',
    ]) {
      const { status, headers } = await parley.client().get(path);
      assert.equal(status, 200);
      const policy = headers.get('content-security-policy')!.split('; ');
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ])
        assert.ok(policy.includes(rule), rule);
      assert.ok(!policy.join().includes('unsafe'));
      assert.deepEqual(
        ['cache-control', 'x-content-type-options', 'referrer-policy', 'x-frame-options'].map((name) =>
          headers.get(name),
        ),
        ['no-cache', 'nosniff', 'no-referrer', 'DENY'],
      );
    }
  });

  itInSoak('is revalidated, and browsers store its script and style sheet', async () => {
    const browser = await request.newContext();
    const page = await browser.get(`${parley.baseUrl}/console`);
    const { 'cache-control': cache, etag = '' } = page.headers();
    const again = await browser.get(page.url(), { headers: { 'If-None-Match': etag } });
    const names = [...(await page.text()).matchAll(/\/console\/[\w-]+\.(?:js|css)/g)].map(([name]) => name);
    const files = await Promise.all(names.map((name) => browser.get(parley.baseUrl + name)));
    const caches = new Set(files.map((file) => `${file.status()} ${file.headers()['cache-control']}`));
    await browser.dispose();
    assert.deepEqual([page.status(), cache, again.status()], [200, 'no-cache', 304]);
    assert.ok(names.length >= 2, names.join());
    assert.deepEqual([...caches], ['200 public, max-age=31536000, immutable']);
  });
});
