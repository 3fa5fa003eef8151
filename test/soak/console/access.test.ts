import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { newId } from '../../../core/ids.ts';
import { PASSWORD } from '../../accounts/support.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { waitUntilEqual } from '../../support/wait-until.ts';
import { buildPlaces, devices, checkAllPlaces } from '../../console/places.ts';
import { findAssignee } from '../../console/waiting-visitor.ts';
import { goToPlace, signInWithPassword, useConsoles } from '../../console/support.ts';

describe('the accessible console', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  it('has a heading, landmarks and names for all controls, and fits the smallest phone in light mode and a desktop in dark mode', () =>
    checkAllPlaces(parley, consoles(), devices.slice(0, 2)));

  it('works without a mouse, shows the answer field in a low window, and fits the cells of a row on a phone', async () => {
    const { person, id } = await buildPlaces(parley);
    const page = await consoles().openWithKey(parley, person.key, '#/inbox', {
      viewport: { width: 1280, height: 707 },
    });
    await page.locator(`[data-id="${id}"]`).waitFor();
    await page.reload();
    await page.locator(`[data-id="${id}"]`).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await waitUntilEqual(() => page.evaluate('document.activeElement.id'), 'main');
    await page.locator(`[data-id="${id}"]`).focus();
    await page.keyboard.press('Enter');
    const claim = page.getByRole('button', { name: 'Assign to me' });
    await claim.focus();
    await page.keyboard.press('Enter');
    await findAssignee(page, 'Ada Okafor').waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks' }).and(page.locator(':focus')).waitFor();

    await page.goto(`${parley.baseUrl}/console#/inbox/${id}`);
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await send.waitFor();
    await page.getByText('Loading …').first().waitFor({ state: 'detached' });
    const measureBottom = async () => {
      const { y = Infinity, height = 0 } = (await send.boundingBox()) ?? {};
      return y + height;
    };
    assert.ok((await measureBottom()) <= 707, `${await measureBottom()}`);
    await page.setViewportSize({ width: 320, height: 707 });
    for (const [place, heading] of [
      ['conversations', 'Conversations'],
      ['webhooks/deliveries', 'Webhooks'],
    ] as const) {
      await goToPlace(page, place);
      await page.getByRole('heading', { name: heading }).waitFor();
      const row = page.locator('tbody tr').first();
      const { height } = (await row.boundingBox())!;
      assert.ok(height < 320, `${place}: ${height}`);
      for (const cell of await row.locator('td:visible').all()) {
        const { x, width } = (await cell.boundingBox())!;
        assert.ok(x + width <= 320, `${place}: ${await cell.innerText()}`);
      }
    }
  });

  it('shows that a page does not exist, and links to the inbox', async () => {
    const { key, client } = await parley.buildOrg();
    const page = await consoles().openWithKey(parley, key, '#/nonsense');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Go to the inbox' }).click();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    const { body: bot } = await client.post('/api/bots', { name: 'Help desk' });
    const gone = [
      'inbox/1',
      'conversations/x',
      'bots/x',
      `bots/${bot.id}/x`,
      'bookings/x',
      'webhooks/x',
      'team/x',
    ];
    for (const place of [...gone, 'webhooks/deliveries/x']) {
      await page.goto(`${parley.baseUrl}/console#/bots`);
      await page.getByRole('heading', { name: 'Bots' }).waitFor();
      await page.goto(`${parley.baseUrl}/console#/${place}`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    }
    await page.goto(`${parley.baseUrl}/console#/bots/${newId()}`);
    await page.getByRole('alert').getByText('There is no such bot.').waitFor();
    await waitUntilEqual(() => page.getByRole('button', { name: 'Try again' }).count(), 0);
    await page.goto(`${parley.baseUrl}/console`);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
  });

  it('keeps the focus on a button that becomes disabled, and moves it near a button that disappears', async () => {
    const { person, id, places } = await buildPlaces(parley);
    const page = await consoles().open(parley);
    const press = async (name: string): Promise<Locator> => {
      const pressed = page.getByRole('button', { name, exact: true });
      await pressed.focus();
      await page.keyboard.press('Enter');
      return pressed;
    };
    await page.getByLabel('Email', { exact: true }).fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    const signIn = await press('Sign in');
    await page.getByText('The email address or the password is wrong.').waitFor();
    await signIn.and(page.locator(':focus')).waitFor();
    await signInWithPassword(page, person.email, PASSWORD);
    await page.getByRole('navigation', { name: 'Console' }).waitFor();
    await page.goto(`${parley.baseUrl}/console#/${places.find((place) => place.endsWith('/instructions'))}`);
    await page.getByLabel('Description').fill('Answers riders.');
    const focused = page.locator(':focus');
    await press('Save');
    await page.getByText('Changes saved').waitFor();
    await page.getByRole('main').locator(focused).waitFor();

    await page.goto(`${parley.baseUrl}/console#/conversations/${id}`);
    const thread = page.getByRole('region', { name: 'Conversation' });
    for (const [step, next] of [
      ['Assign to me', 'Resolve'],
      ['Resolve', 'Reopen'],
    ] as const) {
      await press(step);
      await page.getByRole('button', { name: next, exact: true }).waitFor();
      await thread.locator(':focus:not(button, select)').waitFor();
    }
    await page.goto(`${parley.baseUrl}/console#/${places.find((place) => place.endsWith('/knowledge'))}`);
    const title = 'A title without any space in it'.replaceAll(' ', '_');
    await press(`Actions: ${title}`);
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByText('Document deleted').waitFor();
    await page.getByRole('main').locator(focused).waitFor();
    await page.goto(`${parley.baseUrl}/console#/conversations/${id}`);
    await page.getByRole('link', { name: 'Back' }).press('Enter');
    await page.getByRole('heading', { name: 'Conversations' }).and(focused).waitFor();
  });
});
