import assert from 'node:assert/strict';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { useConsoles } from './support.ts';
import { buildWaiting, findAssignee, listReplies } from './waiting-visitor.ts';
import { itInSoak } from '../support/it-in-soak.ts';

/**
 * Browser script that replaces notifications, which a browser without a desktop refuses, and lets tabs be in
 * the background.
 */
const RECORD_NOTIFICATIONS = `
  document.hasFocus = () => false;
  window.Notification = class {
    static permission = 'granted';
    static requestPermission = async () => 'granted';
    constructor(title, { body }) {
      const shown = JSON.parse(localStorage.getItem('shown') ?? '[]');
      localStorage.setItem('shown', JSON.stringify([...shown, title + ': ' + body]));
    }
  };`;

describe('the inbox of the console in daily work', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley?.stop());

  /** Starts a conversation of another visitor with the same bot, who also waits for a team member. */
  async function startOtherVisitor({ bot }: Awaited<ReturnType<typeof buildWaiting>>): Promise<string> {
    const { body } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const visitor = parley.client(body.visitor_token);
    await visitor.post(`/api/public/sessions/${body.session_id}/handoff`, { reason: 'I need an invoice.' });
    return body.session_id;
  }

  it('can be used with the keyboard alone: move, open, assign, reply, resolve and hand back, which open the next conversation', async () => {
    const waiting = await buildWaiting(parley);
    const { key, id, client } = waiting;
    await waiting.ask();
    const other = await startOtherVisitor(waiting);
    const page = await consoles().openWithKey(parley, key, '#/inbox');
    await page.locator(`[data-id="${other}"]`).waitFor();
    for (const [pressed, focused] of [
      ['j', id],
      ['j', other],
      ['k', id],
    ] as const) {
      await page.keyboard.press(pressed);
      await page.locator(`[data-id="${focused}"]:focus`).waitFor();
    }
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('My bike has a flat tyre.').waitFor();
    await page.keyboard.press('a');
    await findAssignee(page, 'Ada Okafor').waitFor();
    await page.keyboard.press('r');
    const field = page.getByRole('textbox', { name: 'Reply' });
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('See you at j, k, a, e?');
    await waitUntilEqual(() => field.inputValue(), 'See you at j, k, a, e?');
    await page.keyboard.press('Enter');
    await waitUntil(async () => (await listReplies(parley, key, id)).length === 1, 'the reply');
    assert.equal((await client.get(`/api/conversations/${id}`)).body.resolved, false);
    await page.locator(`[data-id="${id}"] .row-time`, { hasText: /^just now$/ }).waitFor();
    await page.keyboard.type('/');
    await page.getByRole('button', { name: 'Manage saved replies' }).waitFor();
    assert.equal(await page.getByText('Enter to insert').count(), 0);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    const savedReplies = page.getByRole('dialog', { name: 'Saved replies' });
    await savedReplies.getByText('No saved replies yet').waitFor();
    await page.keyboard.press('Escape');
    await savedReplies.waitFor({ state: 'detached' });
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Escape');
    await page.locator('.thread-log:focus').waitFor();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('Hand back to bot').waitFor();
    await page.keyboard.press('e');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    assert.equal((await client.get(`/api/conversations/${id}`)).body.resolved, false);
    await page.keyboard.press('e');
    await page.getByText('Conversation resolved').waitFor();
    await waitUntil(() => page.url().endsWith(`/console/inbox/${other}`), 'the next conversation');
    await page.locator(`[data-id="${other}"]:focus`).waitFor();
    assert.equal((await client.get(`/api/conversations/${id}`)).body.resolved, true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await findAssignee(page, 'Ada Okafor').waitFor();
    assert.ok(page.url().endsWith(`/console/inbox/${id}`));
    assert.equal((await client.get(`/api/conversations/${id}`)).body.status, 'human');

    await page.locator(`[data-id="${other}"]`).click();
    await page.getByRole('log').getByText('I need an invoice.').waitFor();
    await waiting.visitor.post(`${waiting.path}/messages`, { content: 'Is anybody there?' });
    await page.locator(`[data-id="${id}"][data-unread]`).click();
    await page.locator('.thread-line[data-unread]').waitFor();

    await page.keyboard.press('r');
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('It is ready.');
    await page.keyboard.press('Control+Enter');
    await waitUntil(() => page.url().endsWith(`/console/inbox/${other}`), 'the next conversation');
    assert.equal((await client.get(`/api/conversations/${id}`)).body.resolved, true);
    assert.deepEqual(await listReplies(parley, key, id), ['See you at j, k, a, e?', 'It is ready.']);
    await page.keyboard.press('s');
    await page.getByText('Handed back to bot').waitFor();
    await waitUntil(() => page.url().endsWith('/console/inbox'), 'the empty inbox');
    assert.equal((await client.get(`/api/conversations/${other}`)).body.status, 'active');
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await waitUntil(() => page.url().endsWith(`/console/inbox/${other}`), 'the conversation');
    await waitUntilEqual(
      async () => (await client.get(`/api/conversations/${other}`)).body.status,
      'waiting_human',
    );
  });

  itInSoak('inserts saved replies with a slash, and keeps notes hidden from the visitor', async () => {
    const { key, id, ask, client, visitor, path } = await buildWaiting(parley);
    await client.post('/api/ext/saved-replies', {
      name: 'Opening hours',
      text: 'We are open from nine to five.',
    });
    await client.post('/api/ext/saved-replies', { name: 'Workshop', text: 'Bring your bike to gate 3.' });
    await ask();
    const page = await consoles().openWithKey(parley, key, `#/inbox/${id}`);
    const field = page.getByRole('textbox', { name: 'Reply' });
    await field.pressSequentially('/nothing');
    await page.getByText('No results. Press Escape to keep the text.').waitFor();
    await field.press('Enter');
    assert.equal(await field.inputValue(), '/nothing');
    await field.fill('');
    await field.pressSequentially('Hello! /gate');
    const options = page.getByRole('listbox', { name: 'Saved replies' }).getByRole('option');
    await waitUntilEqual(() => options.allInnerTexts(), ['Workshop\nBring your bike to gate 3.']);
    await page.keyboard.press('Enter');
    await waitUntilEqual(() => field.inputValue(), 'Hello! Bring your bike to gate 3.');
    await page.getByRole('button', { name: 'Saved replies' }).click();
    await page.getByRole('button', { name: 'Manage saved replies' }).click();
    const dialog = page.getByRole('dialog', { name: 'Saved replies' });
    await dialog.getByRole('button', { name: 'Create saved reply' }).click();
    await dialog.getByLabel('Name').fill('opening HOURS');
    await dialog.getByLabel('Text').fill('Nine to six.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Name').fill('Summer hours');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Summer hours').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('tab', { name: 'Note' }).click();
    const note = page.getByRole('textbox', { name: 'Note' });
    await note.pressSequentially('Ask @ada');
    await page.getByRole('option', { name: 'Ada Okafor' }).click();
    await waitUntilEqual(() => note.inputValue(), 'Ask @Ada Okafor ');
    await note.press('Enter');
    await page.getByRole('log').getByText('Ask @Ada Okafor').waitFor();
    await waitUntilEqual(() => note.inputValue(), '');
    const { body } = await visitor.get(`${path}/messages`);
    assert.deepEqual(
      body.filter(({ content }) => content.includes('Ada Okafor')),
      [],
    );
    await page.getByRole('button', { name: 'Actions: note by Ada Okafor' }).click();
    await page.getByRole('menuitem', { name: 'Delete note' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete note' }).click();
    await page.getByRole('log').getByText('Ask @Ada Okafor').waitFor({ state: 'detached' });
  });

  itInSoak(
    'shows one notification across several tabs, after the user has turned notifications on',
    async () => {
      const waiting = await buildWaiting(parley);
      const first = await consoles().openWithKey(parley, waiting.key, '#/inbox');
      await first.context().addInitScript(RECORD_NOTIFICATIONS);
      await first.reload();
      await first.getByText("You're all caught up").waitFor();
      const second = await first.context().newPage();
      await second.goto(`${parley.baseUrl}/console/inbox`);
      await second.evaluate(
        `sessionStorage.setItem('parley.console', ${JSON.stringify(JSON.stringify({ token: waiting.key, refreshToken: null, orgId: null }))})`,
      );
      await second.goto(`${parley.baseUrl}/console/inbox`);
      await second.getByText("You're all caught up").waitFor();
      const readShown = async () =>
        JSON.parse(String(await first.evaluate("localStorage.getItem('shown') ?? '[]'")));
      await startOtherVisitor(waiting);
      for (const page of [first, second]) await page.getByText('I need an invoice.').waitFor();
      await second.getByRole('button', { name: 'Notifications' }).click();
      await second.getByLabel('A visitor is waiting').check({ force: true });
      await waiting.ask();
      await waitUntil(async () => (await readShown()).length > 0, 'a notification');
      for (const page of [first, second]) await page.getByText('My bike has a flat tyre.').waitFor();
      assert.match((await readShown()).join('\n'), /^Visitor \w{4} is waiting: My bike has a flat tyre\.$/);
    },
  );
});
