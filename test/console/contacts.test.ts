import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { waitUntil, waitUntilEqual, waitUntilMatches } from '../support/wait-until.ts';
import { buildSession } from '../support/widget.ts';
import { useConsoles } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('contacts in the console', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  const form = { enabled: true, fields: ['name', 'email'].map((key) => ({ key, label: key })) };

  /** Builds a workspace with the contact Ada Lovelace, who has asked one question. */
  async function buildContact() {
    const lead = await buildSession(parley, { lead_capture_config: form });
    await lead.visitor.post(`${lead.path}/messages`, { content: 'What does a day pass cost?' });
    const fields = { name: 'Ada Lovelace', email: 'ada@example.com' };
    await lead.visitor.post(`${lead.path}/lead`, { fields });
    const { body } = await lead.client.get('/api/contacts');
    return { ...lead, contactId: body.items[0]!.id };
  }

  it('are listed, searched and filtered; a contact can be edited, and deleted from a menu', async () => {
    const { key, client, contactId } = await buildContact();
    const page = await consoles().openWithKey(parley, key, '#/contacts');
    const row = page.locator(`tr[data-id="${contactId}"]`);
    await waitUntilMatches(
      () => row.innerText(),
      /Ada Lovelace\s*Lead\s*ada@example\.com.*Help desk.*just now/s,
    );
    const search = page.getByLabel('Search name, email or phone');
    await search.fill('grace');
    await search.press('Enter');
    await page.getByText('No contacts match your filters.').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Lead' }).click();
    await page.getByRole('menuitemradio', { name: 'Not leads' }).click();
    await page.getByText('No contacts match your filters.').waitFor();
    await page.getByRole('button', { name: 'Remove filter: Lead' }).click();
    await row.getByRole('link', { name: 'Ada Lovelace' }).click();
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await page.getByRole('link', { name: 'What does a day pass cost?' }).waitFor();
    await page.getByText('Not asked').waitFor();

    await page.getByRole('button', { name: 'Edit contact' }).click();
    await page.getByLabel('Phone').fill('+49 30 901820');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: '+49 30 901820' }).waitFor();
    assert.equal((await client.get(`/api/contacts/${contactId}`)).body.phone, '+49 30 901820');

    await page.getByRole('button', { name: 'Actions: Ada Lovelace' }).click();
    await page.getByRole('menuitem', { name: 'Delete contact' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete contact' }).click();
    await page.getByText('No contacts yet').waitFor();
    assert.equal((await client.get('/api/contacts')).body.total, 0);
  });

  itInSoak('are exported by admins with the current filters', async () => {
    const { key } = await buildContact();
    const page = await consoles().openWithKey(parley, key, '#/contacts?is_lead=true');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export contacts' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'contacts.csv');
    assert.match(await readFile(await download.path(), 'utf8'), /ada@example\.com/);
  });

  itInSoak('can be read, but not changed, by viewers', async () => {
    const { orgId, contactId } = await buildContact();
    const viewer = await parley.buildOrg({ orgId, role: 'viewer' });
    const page = await consoles().openWithKey(parley, viewer.key, `#/contacts/${contactId}`);
    await page.getByRole('link', { name: 'What does a day pass cost?' }).waitFor();
    await waitUntilEqual(() => page.locator('#main').getByRole('button').count(), 0);
  });

  itInSoak('are found by the command palette, which finds conversations by their messages', async () => {
    const { key, contactId, session } = await buildContact();
    const page = await consoles().openWithKey(parley, key, '#/bots');
    await page.getByRole('heading', { name: 'Bots' }).waitFor();
    for (const [query, place] of [
      ['lovelace', `contacts/${contactId}`],
      ['day pass', `conversations/${session.session_id}`],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Search pages, bots, conversations, contacts…').fill(query);
      const found = page.getByRole('option').or(page.locator('.mantine-Spotlight-action'));
      await found.filter({ hasText: 'Ada Lovelace' }).last().click();
      await waitUntil(() => page.url().endsWith(`/console/${place}`), place);
    }
  });
});
