import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { waitUntil, waitUntilEqual, waitUntilMatches } from '../support/wait-until.ts';
import { buildSession } from '../support/widget.ts';
import { useConsoles } from './support.ts';
import { findBubbles, findSent } from './waiting-visitor.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('conversations in the console', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  const form = {
    enabled: true,
    fields: ['name', 'email', 'phone'].map((key) => ({ key, label: key })),
  };

  /** Builds a contact who left contact details and has two conversations; returns the second conversation. */
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

  /** Builds a visitor without contact details, after one question. */
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

  it('show the visitor’s details and other conversations, can be saved as text, CSV and JSON, and let members edit the contact', async () => {
    const { key, id, firstId, client } = await buildLead();
    const page = await consoles().openWithKey(parley, key, `#/conversations/${id}`);
    await page.getByRole('heading', { name: 'Ada Lovelace', level: 2 }).waitFor();
    await waitUntilEqual(() => fact(page, 'Lead').innerText(), 'Yes');
    const email = page.locator('.contact-panel').getByText('ada@example.com');
    await email.waitFor();
    assert.equal(await email.count(), 1);
    await waitUntilEqual(() => fact(page, 'Bot').innerText(), 'Help desk');
    await waitUntilEqual(() => fact(page, 'Page').innerText(), 'shop.example.com/passes');
    for (const [name, format] of [
      ['text', 'txt'],
      ['CSV', 'csv'],
      ['JSON', 'json'],
    ]) {
      await page.getByRole('button', { name: 'Actions: conversation' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: `Download as ${name}` }).click(),
      ]);
      assert.equal(download.suggestedFilename(), `conversation-${id}.${format}`);
      assert.match(await readFile(await download.path(), 'utf8'), /Where are you\?/);
    }

    await page.locator('.panel-list').getByRole('link', { name: 'What does a day pass cost?' }).click();
    await page.getByRole('log').getByText('What does a day pass cost?').waitFor();
    await waitUntilEqual(() => page.url(), `${parley.baseUrl}/console/conversations/${firstId}`);
    await waitUntilEqual(() => fact(page, 'Rating').innerText(), '★★★★☆');
    await page.goBack();

    await page.getByRole('button', { name: 'Edit contact' }).click();
    await page.getByLabel('Email').fill('not an address');
    await page.getByLabel('Phone').fill('+49 30 901820');
    for (const tag of ['vip', 'berlin', 'vip']) {
      await page.getByRole('combobox', { name: 'Tags' }).fill(tag);
      await page.keyboard.press('Enter');
    }
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a valid email, e.g. ada@example.com.').waitFor();
    await page.getByRole('link', { name: 'Bots', exact: true }).click();
    await page.getByRole('heading', { name: 'Bots' }).waitFor();
    await page.goBack();
    await page.getByRole('combobox', { name: 'Tags' }).waitFor();
    await waitUntilEqual(() => page.locator('.mantine-TagsInput-pill').allInnerTexts(), ['vip', 'berlin']);
    const { id: contactId } = (await client.get('/api/contacts')).body.items[0]!;
    await client.patch(`/api/contacts/${contactId}`, { name: 'Ada King' });
    await page.getByLabel('Email').fill('countess@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Contact saved').waitFor();
    await waitUntilMatches(() => fact(page, 'Tags').innerText(), /^vip\s*berlin$/);
    const [contact] = (await client.get('/api/contacts')).body.items;
    assert.deepEqual(
      [contact!.name, contact!.email, contact!.phone, contact!.tags],
      ['Ada King', 'countess@example.com', '+49 30 901820', ['vip', 'berlin']],
    );
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
      await page.getByRole('textbox', { name: 'Reply' }).fill('We are, until six.');
      await page.getByRole('button', { name: 'Send' }).click();
      await findSent(page).waitFor();
      const content = [
        '| Code | Meaning |\n|---|---|\n| M22 | Motor |',
        '**Stop** and see [the manual](https://example.com/m22) <img src=x onerror=alert(1)>',
      ].join('\n\n');
      await client.post(`/api/inbox/${id}/reply`, { content });
      const message = findBubbles(page).filter({ hasText: 'M22' });
      await message.locator('td').getByText('M22', { exact: true }).waitFor();
      await waitUntilEqual(() => message.locator('strong').allInnerTexts(), ['Stop']);
      await message.getByRole('link', { name: 'the manual' }).waitFor();
      const shown = await page.evaluate(
        "getComputedStyle(document.querySelector('.bubble[data-role=agent] a[href]'), '::after').content",
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
    for (let count = 0; count < 50; count += 1)
      await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    await client.post(`/api/conversations/${id}/resolve`);
    const page = await consoles().openWithKey(parley, key, '#/conversations');
    await page.getByText('50 of 52 conversations').waitFor();
    await page.locator('td').getByText('Help desk').first().waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('52 of 52 conversations').waitFor();
    await waitUntilEqual(() => page.getByRole('button', { name: 'Show more' }).count(), 0);
    /** Waits until the page lists only this conversation: results of an earlier filter may still be visible. */
    const assertFound = async (found: string) => {
      const rows = page.locator('tr[data-id]');
      const ids = () => rows.evaluateAll((all) => all.map((row) => row.dataset['id']));
      await waitUntil(async () => (await ids()).join() === found, `only ${found}`);
      await page.getByText('1 of 1 conversation', { exact: true }).waitFor();
    };
    const filterBy = async (filter: string, value: string) => {
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByRole('menuitem', { name: filter }).click();
      await page.getByRole('menuitemradio', { name: value, exact: true }).click();
    };
    const search = page.getByLabel('Search messages or visitors');
    await filterBy('Rating', '★★★★');
    await assertFound(firstId);
    await page.getByRole('button', { name: 'Remove filter: Rating' }).click();
    await filterBy('Resolution', 'Resolved');
    await assertFound(id);
    await search.fill('day pass');
    await search.press('Enter');
    await page.getByText('No conversations match your filters.').waitFor();
    await page.getByRole('button', { name: 'Remove filter: Resolution' }).click();
    await assertFound(firstId);
    await waitUntilMatches(() => page.url(), /\/conversations\?q=day\+pass$/);
    await search.fill('nothing of the kind');
    await search.press('Enter');
    await page.getByText('No conversations match your filters.').waitFor();
    await page.goBack();
    await page.getByText('1 of 1 conversation', { exact: true }).waitFor();
    await waitUntilEqual(() => search.inputValue(), 'day pass');
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.getByRole('button', { name: 'Started' }).click();
    await waitUntilMatches(() => page.url(), /\/conversations\?sort=started$/);
    await page.locator('th[aria-sort="descending"]', { hasText: 'Started' }).waitFor();
  });

  itInSoak(
    'show person, last message, status and last activity on a phone without a horizontal scroll, and right-to-left text from the right',
    async () => {
      const question = 'هل يمكنكم مساعدتي في إصلاح دراجتي؟';
      const { key, visitor, path, id } = await buildStranger(question);
      const page = await consoles().openWithKey(parley, key, '#/conversations', {
        viewport: { width: 390, height: 844 },
      });
      const row = page.locator('tr[data-id]');
      await row.waitFor();
      await waitUntilMatches(
        () => row.innerText(),
        new RegExp(`${question}.*Bot: .*With bot.*just now`, 's'),
      );
      for (const cell of await row.locator('td:visible').all()) {
        const { x, width } = (await cell.boundingBox())!;
        assert.ok(x >= 0 && x + width <= 390, await cell.innerText());
      }
      assert.ok((await page.locator('main').evaluate((main) => main.scrollWidth)) <= 390);
      const labels = await row
        .locator('td[data-label]:visible')
        .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-label')));
      assert.deepEqual(labels, ['Visitor', 'Conversation', 'Status', 'Last activity']);
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
      const below = (await page.getByText('The bot is handling this conversation.').boundingBox())!;
      assert.ok(
        last.y > 0 && last.y + last.height <= below.y,
        'the newest message is above what one writes in',
      );
      assert.ok(below.y + below.height <= 844);
    },
  );

  itInSoak('show the name of the bot on one line in a table that fits 1440 pixels', async () => {
    const { key, client, bot } = await buildLead();
    await client.patch(`/api/bots/${bot.id}`, { name: 'Harbour Bikes service desk' });
    const page = await consoles().openWithKey(parley, key, '#/conversations', {
      viewport: { width: 1440, height: 900 },
    });
    const name = page.getByRole('cell').getByText('Harbour Bikes service desk').first();
    await name.waitFor();
    assert.equal((await name.boundingBox())!.height, 18);
    const cell = (await page.locator('td[data-label="Visitor"]').first().boundingBox())!;
    assert.ok(cell.width >= 240, `${cell.width} pixels for the visitor`);
    const isCut = await page
      .locator('.data-frame, .person-cell .cell-note')
      .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
    assert.deepEqual(isCut, [false, false, false]);
  });

  itInSoak('are resolved and deleted in bulk, with a result for each', async () => {
    const { key, id, firstId, client } = await buildLead();
    const page = await consoles().openWithKey(parley, key, '#/conversations');
    await page.getByLabel('Select all shown').check();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('2 conversations updated').waitFor();
    assert.equal((await client.get(`/api/conversations/${id}`)).body.resolved, true);
    await page.locator('td .status', { hasText: 'Resolved' }).first().waitFor();
    await page.getByLabel('Select all shown').check();
    await client.delete(`/api/conversations/${firstId}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await client.get(`/api/conversations/${id}`)).status, 200);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 conversation updated, 1 failed:').waitFor();
    await page.getByText('not_found: There is no such conversation.').waitFor();
    assert.equal((await client.get(`/api/conversations/${id}`)).status, 404);
    await page.getByText('No conversations yet').waitFor();
  });

  itInSoak('have filters that a member saves as a view, opens again and deletes', async () => {
    const lead = await buildLead();
    const page = await consoles().openAsPerson(parley, lead, '/conversations?is_lead=false');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('No leads yet');
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('link', { name: 'All' }).click();
    await waitUntilMatches(() => page.url(), /\/conversations$/);
    await views.getByRole('link', { name: 'No leads yet' }).click();
    await waitUntilMatches(() => page.url(), /\/conversations\?is_lead=false$/);
    await page.getByRole('button', { name: 'Actions: No leads yet' }).click();
    await page.getByRole('menuitem', { name: 'Delete view' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click();
    await views.waitFor({ state: 'detached' });
  });
});
