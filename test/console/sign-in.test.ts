import assert from 'node:assert/strict';
import { request } from 'playwright-core';
import { startParley, type TestParley } from '../support/parley.ts';
import { signIn, useConsoles } from './support.ts';

describe('signing in to the console', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley?.stop());

  it('tells kindly when the key is wrong, and takes one that is right', async () => {
    const { key } = await parley.buildOrg();
    const page = await consoles().open(parley);
    for (const wrong of ['nonsense', 'not a key at all', `${key.slice(0, -1)}é`]) {
      await page.getByLabel('API key').fill(wrong);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByText('Parley does not know this key.').waitFor();
    }
    await signIn(page, `  ${key} `);
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  });

  it('keeps the place and the key over a reload, for this tab alone, and the address without the key', async () => {
    const { key } = await parley.buildOrg();
    const page = await consoles().signedIn(parley, key, '/#/webhooks/deliveries?status=failed');
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    assert.equal(await page.getByLabel('Status').inputValue(), 'failed');
    assert.equal(page.url(), `${parley.baseUrl}/console/#/webhooks/deliveries?status=failed`);
    const another = await page.context().newPage();
    await another.goto(`${parley.baseUrl}/console`);
    await another.getByLabel('API key').waitFor();
  });

  it('stays for other tabs where that is wanted, until one of them signs out', async () => {
    const { key } = await parley.buildOrg();
    const page = await consoles().open(parley);
    await page.getByLabel('Stay signed in on this computer').check();
    await signIn(page, key);
    const another = await page.context().newPage();
    await another.goto(`${parley.baseUrl}/console`);
    await another.getByRole('button', { name: 'Sign out' }).click();
    await another.getByLabel('API key').waitFor();
    await page.getByText('You have signed out in another tab.').waitFor();
    assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
  });

  it('is asked for again once the key was revoked', async () => {
    const { key, orgId } = await parley.buildOrg();
    const page = await consoles().signedIn(parley, key, '#/bots');
    await page.getByText('There are no bots yet.').waitFor();
    await parley.database.sql('UPDATE api_keys SET revoked_at = now() WHERE org_id = $1', [orgId]);
    // No click: any call of the page may be refused before.
    await page.evaluate("location.hash = '#/conversations'");
    await page.getByText('Parley no longer takes this key').waitFor();
    await page.getByLabel('API key').waitFor();
    assert.equal(await page.evaluate('sessionStorage.length'), 0);
  });

  it('shows a key what it may see, and says what it lacks', async () => {
    const { key } = await parley.buildOrg({ scopes: ['bots:read'] });
    const page = await consoles().signedIn(parley, key);
    await page.getByText('You may not do or see this: The key lacks the scope inbox:read.').waitFor();
    await page.getByText('No live updates').waitFor();
    await page.getByRole('link', { name: 'Bots' }).click();
    await page.getByText('There are no bots yet.').waitFor();
    await page.getByLabel('Name of a new bot').fill('Guide');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('The key lacks the scope bots:write.').waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('The key lacks the scope webhooks:read.').first().waitFor();
  });

  it('says so while Parley cannot be reached', async () => {
    const { key } = await parley.buildOrg();
    const page = await consoles().open(parley);
    await page.context().setOffline(true);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Parley cannot be reached.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  });
});

describe('the page of the console', () => {
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley.stop());

  it('may run its own scripts and call its own server alone, and be framed by nobody', async () => {
    for (const path of ['/console', '/console/']) {
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
        ['no-store', 'nosniff', 'no-referrer', 'DENY'],
      );
    }
  });

  it('has a script that browsers keep, and ask for again', async () => {
    const browser = await request.newContext();
    const first = await browser.get(`${parley.baseUrl}/console/console.js`);
    const { 'cache-control': cache, etag = '' } = first.headers();
    const again = await browser.get(first.url(), { headers: { 'If-None-Match': etag } });
    await browser.dispose();
    assert.deepEqual([first.status(), cache, again.status()], [200, 'no-cache', 304]);
  });
});
