import assert from 'node:assert/strict';
import { scopes } from '../../api/http/access/scopes.ts';
import { bootstrapWorkspace } from '../../services/installation/bootstrap.ts';
import { PASSWORD } from '../accounts/support.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntilMatches } from '../support/wait-until.ts';
import { assertSignedInAs, NAMELESS, useConsoles } from './support.ts';

describe('the page that sets up the first owner', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley?.stop());

  it('is mentioned on the sign-in page, creates the account, opens the console, and later says that the link is no longer valid', async () => {
    const { setupToken } = await bootstrapWorkspace(parley.database, parley.runtime.settings, scopes, true);
    const early = await consoles().visit(`${parley.baseUrl}/sign-in`);
    await early.getByText("This installation isn't set up yet.").waitFor();
    const link = `${parley.baseUrl}/welcome#token=${setupToken}`;
    const page = await consoles().visit(link, { viewport: { width: 320, height: 800 } });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor();
    assert.equal(page.url(), `${parley.baseUrl}/welcome`);
    assert.deepEqual(await page.evaluate(NAMELESS), []);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
    await page.getByLabel('Your name').fill('Grace Hopper');
    await page.getByLabel('Email', { exact: true }).fill('grace@example.com');
    await page.getByLabel('Password', { exact: true }).fill('password1');
    await page.getByLabel('Workspace name').fill('Ember & Oak');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('The password is a common password; choose another one.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('navigation', { name: 'Console' }).waitFor();
    await waitUntilMatches(() => page.url(), /\/console/);
    await assertSignedInAs(page, 'Grace Hopper');
    await assertSignedInAs(page, 'Ember & Oak');
    assert.deepEqual(
      requests.filter((url) => url.includes(setupToken!) || !url.startsWith(parley.baseUrl)),
      [],
    );
    const late = await consoles().visit(link);
    await late.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
    const known = late.waitForResponse((response) => response.url().endsWith('/api/ext/first-run'));
    await late.getByRole('link', { name: 'Sign in' }).click();
    await known;
    await late.getByRole('heading', { name: 'Sign in to Parley' }).waitFor();
    assert.equal(await late.getByText("This installation isn't set up yet.").count(), 0);
  });
});
