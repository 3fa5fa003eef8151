import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { waitUntil, waitUntilEqual, waitUntilMatches } from '../support/wait-until.ts';
import { buildSession } from '../support/widget.ts';
import { useConsoles } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('conversations in the console', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  const form = {
    enabled: true,
    fields: ['name', 'email', 'phone'].map((key) => ({ key, label: key })),
  };

  /** A lead with two conversations; returns the second. */
  async function buildLead() {
    const first = await buildSession(parley, { handoff_enabled: true, lead_capture_config: form });
    await first.visitor.post(`${first.path}/messages`, { content: 'What does a day pass cost?' });
    await first.visitor.post(`${first.path}/lead`, {
      fields: { name: 'Ada Lovelace', email: 'ada@example.com' },
    });
    await first.visitor.post(`${first.path}/rating`, { rating: 4 });
    const { body } = await parley.client().post(`/api/public/bots/${first.bot.public_key}/sessions`, {
      visitor_id: first.session.visitor_id,
      visitor_secret: first.session.visitor_secret,
      page_url: 'https://shop.example.com/passes',
    });
    const visitor = parley.client(body.visitor_token);
    await visitor.post(`/api/public/sessions/${body.session_id}/messages`, { content: 'Where are you?' });
    return { ...first, firstId: first.session.session_id as string, id: body.session_id as string, visitor };
  }

  /** A visitor without contact details, after one question. */
  async function buildStranger(question: string) {
    const stranger = await buildSession(parley, {});
    await stranger.visitor.post(`${stranger.path}/messages`, { content: question });
    return { ...stranger, id: stranger.session.session_id as string };
  }

  const fact = (page: Page, name: string) =>
    page
      .locator('.fact-list > div', { has: page.locator(`dt:text-is("${name}")`) })
      .locator('dd')
      .first();

  it('show the visitor’s details once and other conversations, are saved as text, CSV and JSON, and disappear when the team erases the contact', async () => {
    const { key, id, firstId, client } = await buildLead();
    const page = await consoles().openWithKey(parley, key, `#/conversations/${id}`);
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await waitUntilEqual(() => fact(page, 'E-mail').innerText(), 'ada@example.com');
    await waitUntilEqual(() => fact(page, 'Lead').innerText(), 'yes');
    await waitUntilEqual(() => fact(page, 'Bot').innerText(), 'Help desk');
    await waitUntilEqual(() => fact(page, 'Page').innerText(), 'https://shop.example.com/passes');
    for (const [name, format] of [
      ['Text', 'txt'],
      ['CSV', 'csv'],
      ['JSON', 'json'],
    ]) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `${name} of the conversation` }).click(),
      ]);
      assert.equal(download.suggestedFilename(), `conversation-${id}.${format}`);
      assert.match(await readFile(await download.path(), 'utf8'), /Where are you\?/);
    }

    await page.locator('aside ul a').click();
    await page.getByRole('log').getByText('What does a day pass cost?').waitFor();
    await waitUntilEqual(() => page.url(), `${parley.baseUrl}/console/conversations/${firstId}`);
    await waitUntilEqual(() => fact(page, 'Rating').innerText(), '★★★★☆ 4 of 5');
    await fact(page, 'Rating').waitFor();
    for (const told of ['Ada Lovelace', 'ada@example.com']) {
      const facts = page.locator('.fact-list dd', { hasText: told });
      await facts.first().waitFor();
      await waitUntilEqual(() => facts.count(), 1, told);
    }
    await page.goBack();

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('E-mail').fill('not an address');
    await page.getByLabel('Phone').fill('+49 30 901820');
    await page.getByLabel('Tags').fill('vip, berlin, vip');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('E-mail must look like "ada@example.com"').waitFor();
    await page.getByRole('link', { name: 'Bots', exact: true }).click();
    await page.getByRole('heading', { name: 'Bots' }).waitFor();
    await page.goBack();
    await page.getByLabel('Tags').waitFor();
    await waitUntilEqual(() => page.getByLabel('Tags').inputValue(), 'vip, berlin, vip');
    const { id: contactId } = (await client.get('/api/contacts')).body.items[0]!;
    await client.patch(`/api/contacts/${contactId}`, { name: 'Ada King' });
    await page.getByLabel('E-mail').fill('countess@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The contact is saved.').waitFor();
    await waitUntilEqual(() => fact(page, 'Tags').innerText(), 'vip, berlin');
    const [contact] = (await client.get('/api/contacts')).body.items;
    assert.deepEqual(
      [contact!.name, contact!.email, contact!.phone, contact!.tags],
      ['Ada King', 'countess@example.com', '+49 30 901820', ['vip', 'berlin']],
    );

    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
    await page.getByText('There are no conversations yet.').waitFor();
    assert.equal((await client.get(`/api/conversations/${id}`)).status, 404);
    assert.equal((await client.get('/api/contacts')).body.total, 0);
  });

  itInSoak(
    'show the bot’s answer as it streams, let members take over, and render messages and links as visitors see them',
    async () => {
      const { key, id, visitor, client } = await buildLead();
      const page = await consoles().openWithKey(parley, key, `#/conversations/${id}`);
      await page.getByRole('log').getByText('Where are you?').waitFor();
      await visitor.post(`/api/public/sessions/${id}/messages`, { content: 'Are you open on Sundays?' });
      await page.getByRole('log').getByText('Are you open on Sundays?').waitFor();
      await page.getByRole('button', { name: 'Take over' }).click();
      await page.getByLabel('Reply to the visitor').fill('We are, until six.');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('log').getByText('· sent').waitFor();
      const content = [
        '| Code | Meaning |\n|---|---|\n| M22 | Motor |',
        '**Stop** and see [the manual](https://example.com/m22) <img src=x onerror=alert(1)>',
      ].join('\n\n');
      await client.post(`/api/inbox/${id}/reply`, { content });
      const message = page.locator('.message.agent', { hasText: 'M22' });
      await message.locator('td').getByText('M22', { exact: true }).waitFor();
      await waitUntilEqual(() => message.locator('strong').allInnerTexts(), ['Ada Okafor', 'Stop']);
      await message.getByRole('link', { name: 'the manual' }).waitFor();
      const shown = await page.evaluate(
        "getComputedStyle(document.querySelector('.message.agent a[href]'), '::after').content",
      );
      assert.match(String(shown), /https:\/\/example\.com\/m22/);
      await waitUntilEqual(() => message.locator('img').count(), 0);
      await page.goto(`${parley.baseUrl}/console#/conversations`);
      await page
        .locator(`[data-id="${id}"]`)
        .getByText('Team: Code Meaning M22 Motor Stop and see the manual <img src=x onerror=alert(1)>')
        .waitFor();
    },
  );

  itInSoak('are found by status, rating, lead, bot and text, page by page', async () => {
    const { key, client, bot, firstId, id } = await buildLead();
    for (let count = 0; count < 22; count += 1)
      await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    await client.post(`/api/conversations/${id}/resolve`);
    const page = await consoles().openWithKey(parley, key, '#/conversations');
    await page.getByText('20 of 24 sessions').waitFor();
    await page.locator('td').getByText('Help desk').first().waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('24 of 24 sessions').waitFor();
    await waitUntilEqual(() => page.getByRole('button', { name: 'Show more' }).count(), 0);
    /** Waits until only this is listed: results of an earlier filter may still be visible. */
    const assertFound = async (found: string) => {
      const rows = page.locator('tr[data-id]');
      const ids = () => rows.evaluateAll((all) => all.map((row) => row.dataset['id']));
      await waitUntil(async () => (await ids()).join() === found, `only ${found}`);
      await page.getByText('1 of 1 session', { exact: true }).waitFor();
    };
    await page.getByLabel('Rating').selectOption('4');
    await assertFound(firstId);
    await page.getByLabel('Rating').selectOption('Any rating');
    await page.getByLabel('Resolved').selectOption('true');
    await assertFound(id);
    await page.getByLabel('Text').fill('day pass');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No conversation fits these filters.').waitFor();
    await page.getByLabel('Resolved').selectOption('Resolved or not');
    await assertFound(firstId);
    await waitUntilMatches(() => page.url(), /#\/conversations\?q=day\+pass$/);
    await page.getByLabel('Text').fill('nothing of the kind');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No conversation fits these filters.').waitFor();
    await page.goBack();
    await page.getByText('1 of 1 session', { exact: true }).waitFor();
    await waitUntilEqual(() => page.getByLabel('Text').inputValue(), 'day pass');
  });

  itInSoak(
    'show all cells of a row on a phone without a horizontal scroll, and right-to-left text from the right',
    async () => {
      const question = 'هل يمكنكم مساعدتي في إصلاح دراجتي؟';
      const { key, visitor, path, id } = await buildStranger(question);
      const page = await consoles().openWithKey(parley, key, '#/conversations', {
        viewport: { width: 390, height: 844 },
      });
      const row = page.locator('tr[data-id]');
      await row.waitFor();
      await waitUntilMatches(() => row.innerText(), new RegExp(`${question}.*Bot: .*active.*just now`, 's'));
      for (const cell of await row.locator('td').all()) {
        const { x, width } = (await cell.boundingBox())!;
        assert.ok(x >= 0 && x + width <= 390, await cell.innerText());
      }
      assert.ok((await page.locator('main').evaluate((main) => main.scrollWidth)) <= 390);
      const readDirection = (text: string) =>
        page
          .getByText(text, { exact: true })
          .last()
          .evaluate((element) => `${element.ownerDocument.defaultView.getComputedStyle(element).direction}`);
      assert.equal(await readDirection(question), 'rtl');
      for (let count = 0; count < 4; count += 1)
        await visitor.post(`${path}/messages`, { content: `And then? ${count}` });
      await page.goto(`${parley.baseUrl}/console#/conversations/${id}`);
      await page.getByRole('log').getByText(question).waitFor();
      assert.equal(await readDirection(question), 'rtl');
      await page.getByRole('log').getByText('And then? 3').waitFor();
      const last = (await page.getByRole('log').locator('article').last().boundingBox())!;
      const below = (await page.getByText('The bot answers. Take the conversation over').boundingBox())!;
      assert.ok(
        last.y > 0 && last.y + last.height <= below.y,
        'the newest message is above what one writes in',
      );
      assert.ok(below.y + below.height <= 844);
    },
  );

  itInSoak('are exported by admins, and resolved and deleted in bulk, with a result for each', async () => {
    const { key, id, firstId, client } = await buildLead();
    const page = await consoles().openWithKey(parley, key, '#/conversations');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download all contacts' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'contacts.csv');
    assert.match(await readFile(await download.path(), 'utf8'), /ada@example\.com/);
    await page.getByLabel('Select all that are shown').check();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('2 done').waitFor();
    assert.equal((await client.get(`/api/conversations/${id}`)).body.resolved, true);
    await page.getByLabel('Select all that are shown').check();
    await client.delete(`/api/conversations/${firstId}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await client.get(`/api/conversations/${id}`)).status, 200);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 done, 1 not:').waitFor();
    await page.getByText('not_found: There is no such conversation.').waitFor();
    assert.equal((await client.get(`/api/conversations/${id}`)).status, 404);
    await page.getByText('There are no conversations yet.').waitFor();
  });
});
