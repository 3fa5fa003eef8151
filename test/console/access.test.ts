import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { newId } from '../../core/ids.ts';
import { givePassword, PASSWORD } from '../accounts/support.ts';
import { startParley, type ApiClient, type TestParley } from '../support/parley.ts';
import { untilEqual } from '../support/until.ts';
import { buildSession } from '../support/widget.ts';
import { createEndpoint } from '../webhooks/support.ts';
import { goToPlace, MISNAMED, NAMELESS, signInWithPassword, useConsoles } from './support.ts';

/** What does not fit the window: what reaches over it, takes too much of it, is out of sight, or takes more than one line. */
const MISFITS = `(() => {
  const width = innerWidth;
  const faults = [];
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((element) => [element, element.getBoundingClientRect()]);
  for (const part of ['main', '.top', '.whoami > a', 'nav a', 'h1'])
    if (boxes(part).length === 0) faults.push('there is no ' + part);
  for (const part of ['main', 'html']) {
    const { scrollWidth } = document.querySelector(part);
    if (scrollWidth <= width) continue;
    const [widest] = boxes('main *').sort(([, a], [, b]) => b.right - a.right)[0];
    faults.push(part + ' needs ' + scrollWidth + ' px: ' + widest.outerHTML.slice(0, 200));
  }
  for (const [button] of boxes('button, .button')) {
    const text = document.createRange();
    text.selectNodeContents(button);
    const tops = [...text.getClientRects()].map(({ top }) => top);
    if (Math.max(...tops) - Math.min(...tops) > 12) faults.push(button.textContent + ' takes two lines');
  }
  for (const [link, { left, right }] of boxes(width < 390 ? 'nav [aria-current], nav.tabs a' : 'nav a'))
    if (left < 0 || right > width) faults.push(link.innerText + ' is out of sight');
  for (const [, own] of boxes('.whoami > a'))
    if (own.width < 40) faults.push("the own account's link has " + own.width + ' px');
  for (const [, banner] of boxes('.top'))
    if (banner.height > (width < 950 ? 90 : 60)) faults.push('the top takes ' + banner.height + ' px');
  const [heading] = boxes('h1');
  if (heading[0].innerText === 'Conversations' && heading[1].height >= 45) faults.push('the heading is cut in two');
  return faults;
})()`;

/** What somebody who does not see the page, or tells a program what to press, misses. */
const UNNAMED = `(() => ({
  nameless: ${NAMELESS},
  misnamed: ${MISNAMED},
  headings: document.querySelectorAll('h1').length,
  mains: document.querySelectorAll('main').length,
  hasTitle: /\\S · Parley console$/.test(document.title),
}))()`;

describe('everybody’s access to the console', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley?.stop());

  /** A workspace with something on every page, and the places of the console. */
  async function buildPlaces() {
    const session = await givePassword(parley, await buildSession(parley, { handoff_enabled: true }));
    await session.visitor.post(`${session.path}/messages`, { content: 'x'.repeat(500) });
    await session.visitor.post(`${session.path}/handoff`, { reason: 'Help '.repeat(50) });
    const held = await buildHeld(session);
    await session.client.post(`/api/bots/${session.bot.id}/knowledge`, {
      source_type: 'raw_text',
      title: 'A title without any space in it'.replaceAll(' ', '_'),
      raw_text: 'Text.',
    });
    const { id: webhookId } = await createEndpoint(session, `http://127.0.0.1:1/${'long/'.repeat(40)}`);
    const { body: delivery } = await session.client.post(`/api/webhooks/${webhookId}/test`);
    const id = session.session.session_id as string;
    await session.client.patch('/api/calendar/settings', {});
    const start = await firstSlot(session.client);
    const { body: booking } = await session.client.post('/api/bookings', { start, summary: 'x'.repeat(500) });
    const { body: below } = await session.client.post(`/api/orgs/${session.orgId}/children`, {
      name: 'Harbour_Bikes_and_Boats_'.repeat(9),
    });
    await session.client.post(`/api/orgs/${session.orgId}/invitations`, {
      email: `${'x'.repeat(60)}@example.com`,
      role: 'viewer',
    });
    const teamParts = [
      'members',
      'invitations',
      'keys',
      'audit',
      'workspaces',
      `workspaces/${below.id}`,
      'settings',
    ];
    const parts = ['settings', 'documents', 'playground', 'search', 'embed'];
    return {
      person: session,
      below,
      id,
      places: [
        'inbox',
        `inbox/${id}`,
        `inbox/${held}`,
        'conversations',
        `conversations/${id}`,
        'bookings',
        `bookings/${booking.id}`,
        'bookings/new',
        'bookings/calendar',
        'bots',
        ...parts.map((part) => `bots/${session.bot.id}/${part}`),
        'webhooks',
        'webhooks/deliveries',
        `webhooks/deliveries/${delivery.delivery_id}`,
        ...teamParts.map((part) => `team/${part}`),
        'account',
      ],
    };
  }

  async function firstSlot(client: ApiClient): Promise<string> {
    const { body } = await client.get('/api/bookings/slots');
    return body[0]!.start;
  }

  /** A conversation that a colleague with a long name has and answers. */
  async function buildHeld({ orgId, bot }: Awaited<ReturnType<typeof buildSession>>): Promise<string> {
    const colleague = await parley.buildOrg({ orgId });
    const name = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(6);
    await parley.database.sql('UPDATE users SET full_name = $2 WHERE id = $1', [colleague.userId, name]);
    const { body } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    await colleague.client.post(`/api/inbox/${body.session_id}/claim`);
    await colleague.client.post(`/api/inbox/${body.session_id}/reply`, { content: 'Hello.' });
    return body.session_id;
  }

  const devices = [
    { device: 'the smallest phone', width: 320, colorScheme: 'light' },
    { device: 'a small window', width: 768, colorScheme: 'light' },
    { device: 'a wide screen', width: 1920, colorScheme: 'light' },
    { device: 'a phone', width: 360, colorScheme: 'dark' },
    { device: 'a desk', width: 1280, colorScheme: 'dark' },
  ] as const;

  it('has a heading, landmarks and names for all that can be used, and fits each device, light and dark', async () => {
    const { person, places, below } = await buildPlaces();
    const page = await consoles().ofPerson(parley, person);
    await page.locator('.whoami > a').waitFor();
    const fits = async (place: string): Promise<void> => {
      for (const { device, width, colorScheme } of devices) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        await page.evaluate(
          'new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame))',
        );
        await untilEqual(() => page.evaluate(MISFITS), [], `${place} on ${device}`);
      }
    };
    for (const place of places) {
      await goToPlace(page, place);
      await page.locator('h1').waitFor();
      await page.getByText('Loading …').first().waitFor({ state: 'detached' });
      const named = { nameless: [], misnamed: [], headings: 1, mains: 1, hasTitle: true };
      await untilEqual(() => page.evaluate(UNNAMED), named, place);
      await fits(place);
    }
    await page.goto(`${parley.baseUrl}/console#/team/workspaces/${below.id}`);
    await page.getByRole('button', { name: `Work in it: ${below.name}` }).click();
    await page.getByRole('complementary', { name: 'Where you are' }).waitFor();
    await page.locator('.whoami > a').waitFor();
    await fits('the workspace below');
  });

  it('works without a mouse, shows where to answer in a low window, and all that a row of a table tells on a phone', async () => {
    const { person, id } = await buildPlaces();
    const page = await consoles().signedIn(parley, person.key, '', {
      viewport: { width: 1280, height: 707 },
    });
    await page.locator(`[data-id="${id}"]`).waitFor();
    await page.reload();
    await page.locator(`[data-id="${id}"]`).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await untilEqual(() => page.evaluate('document.activeElement.id'), 'main');
    await page.locator(`[data-id="${id}"]`).focus();
    await page.keyboard.press('Enter');
    const claim = page.getByRole('button', { name: 'Claim' });
    await claim.focus();
    await page.keyboard.press('Enter');
    await page.getByText('yours').waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks' }).and(page.locator(':focus')).waitFor();

    await page.goto(`${parley.baseUrl}/console#/inbox/${id}`);
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await send.waitFor();
    await page.getByText('Loading …').first().waitFor({ state: 'detached' });
    const bottomOf = async () => {
      const { y = Infinity, height = 0 } = (await send.boundingBox()) ?? {};
      return y + height;
    };
    assert.ok((await bottomOf()) <= 707, `${await bottomOf()}`);
    await page.setViewportSize({ width: 320, height: 707 });
    for (const place of ['conversations', 'webhooks/deliveries']) {
      await goToPlace(page, place);
      const row = page.locator('tbody tr').first();
      const { height } = (await row.boundingBox())!;
      assert.ok(height < 320, `${place}: ${height}`);
      for (const cell of await row.locator('td').all()) {
        const { x, width } = (await cell.boundingBox())!;
        assert.ok(x + width <= 320, `${place}: ${await cell.innerText()}`);
      }
    }
  });

  it('says so where there is no page', async () => {
    const { key, client } = await parley.buildOrg();
    const page = await consoles().signedIn(parley, key, '#/nonsense');
    await page.getByRole('heading', { name: 'No such page' }).waitFor();
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
      await page.getByRole('heading', { name: 'No such page' }).waitFor();
    }
    await page.goto(`${parley.baseUrl}/console#/bots/${newId()}`);
    await page.getByRole('alert').getByText('There is no such bot.').waitFor();
    await untilEqual(() => page.getByRole('button', { name: 'Try again' }).count(), 0);
    await page.goto(`${parley.baseUrl}/console`);
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  });

  it('leaves the focus on a button that has nothing more to do, and around one that has gone', async () => {
    const { person, id, places } = await buildPlaces();
    const page = await consoles().open(parley);
    const press = async (name: string): Promise<Locator> => {
      const pressed = page.getByRole('button', { name, exact: true });
      await pressed.focus();
      await page.keyboard.press('Enter');
      return pressed;
    };
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    const signIn = await press('Sign in');
    await page.getByText('The e-mail address or the password is wrong.').waitFor();
    await signIn.and(page.locator(':focus')).waitFor();
    await signInWithPassword(page, person.email, PASSWORD);
    await page.getByRole('navigation', { name: 'Console' }).waitFor();
    await page.goto(`${parley.baseUrl}/console#/${places.find((place) => place.endsWith('/settings'))}`);
    await page.getByLabel('Description').fill('Answers riders.');
    const save = await press('Save');
    await page.getByText('The bot is saved.').waitFor();
    await save.and(page.locator(':focus')).and(page.locator('[aria-disabled="true"]')).waitFor();

    const focused = page.locator(':focus');
    await page.goto(`${parley.baseUrl}/console#/inbox/${id}`);
    const thread = page.getByRole('region', { name: 'Conversation' });
    for (const [step, next] of [
      ['Claim', 'Resolve'],
      ['Resolve', 'Reopen'],
    ] as const) {
      await press(step);
      await page.getByRole('button', { name: next, exact: true }).waitFor();
      await thread.locator(':focus:not(button, select)').waitFor();
    }
    await page.goto(`${parley.baseUrl}/console#/${places.find((place) => place.endsWith('/documents'))}`);
    const title = 'A title without any space in it'.replaceAll(' ', '_');
    await press(`Delete ${title}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByText('The document is deleted.').waitFor();
    await page.getByRole('main').locator(focused).waitFor();
    await page.goto(`${parley.baseUrl}/console#/conversations/${id}`);
    await page.getByRole('link', { name: 'Back' }).press('Enter');
    await page.getByRole('heading', { name: 'Conversations' }).and(focused).waitFor();
  });
});
