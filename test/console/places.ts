import type { Page } from 'playwright-core';
import { givePassword } from '../accounts/support.ts';
import type { ApiClient, SharedParley } from '../support/parley.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { buildSession } from '../support/widget.ts';
import { createEndpoint } from '../webhooks/support.ts';
import { goToPlace, MISNAMED, NAMELESS, type Consoles } from './support.ts';

/**
 * Browser script that finds elements that do not fit the window: they overflow it, are too large or out of
 * sight, or take more than one line.
 */
const MISFITS = `(() => {
  const width = innerWidth;
  const faults = [];
  const findTexts = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return [node];
    return node.matches?.('.unseen') ? [] : [...node.childNodes].flatMap(findTexts);
  };
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((element) => [element, element.getBoundingClientRect()]);
  for (const part of ['main', width < 768 ? '.bottom-bar' : '.user-button', 'nav a', 'h1'])
    if (boxes(part).length === 0) faults.push('there is no ' + part);
  for (const part of ['main', 'html']) {
    const { scrollWidth } = document.querySelector(part);
    if (scrollWidth <= width) continue;
    const [widest] = boxes('main *').sort(([, a], [, b]) => b.right - a.right)[0];
    faults.push(part + ' needs ' + scrollWidth + ' px: ' + widest.outerHTML.slice(0, 200));
  }
  for (const [button] of boxes('button:not(.user-button, .bottom-bar button), .button')) {
    const tops = findTexts(button).flatMap((text) => {
      const range = document.createRange();
      range.selectNodeContents(text);
      return [...range.getClientRects()].map(({ top }) => top);
    });
    if (Math.max(...tops) - Math.min(...tops) > 12) faults.push(button.textContent + ' takes two lines');
  }
  for (const [link, { left, right }] of boxes(width < 390 ? 'nav [aria-current], nav.tabs a' : 'nav a'))
    if (left < 0 || right > width) faults.push(link.innerText + ' is out of sight');
  for (const [, sidebar] of boxes('.sidebar'))
    if (sidebar.width > (width < 1024 ? 64 : 240)) faults.push('the sidebar takes ' + sidebar.width + ' px');
  for (const [, bar] of boxes('.bottom-bar'))
    if (bar.height > 64) faults.push('the bottom bar takes ' + bar.height + ' px');
  const [heading] = boxes('h1');
  if (heading[0].innerText === 'Conversations' && heading[1].height >= 45) faults.push('the heading is cut in two');
  return faults;
})()`;

/**
 * Browser script that finds elements that screen readers and voice control cannot name, and checks headings
 * and title.
 */
const UNNAMED = `(() => ({
  nameless: ${NAMELESS},
  misnamed: ${MISNAMED},
  headings: document.querySelectorAll('h1').length,
  mains: document.querySelectorAll('main').length,
  hasTitle: /\\S · Parley console$/.test(document.title),
}))()`;

/** Screen sizes to check: the smallest phone in light mode and a desktop in dark mode first, then further sizes. */
export const devices = [
  { device: 'the smallest phone', width: 320, colorScheme: 'light' },
  { device: 'a desk', width: 1280, colorScheme: 'dark' },
  { device: 'a small window', width: 768, colorScheme: 'light' },
  { device: 'a wide screen', width: 1920, colorScheme: 'light' },
  { device: 'a phone', width: 360, colorScheme: 'dark' },
] as const;

/**
 * Opens every page of the console, including those of a child workspace. Checks headings, landmarks and
 * names, and that the pages fit these screens.
 */
export async function checkAllPlaces(
  parley: SharedParley,
  consoles: Consoles,
  onDevices: readonly (typeof devices)[number][],
): Promise<void> {
  const { person, places, below } = await buildPlaces(parley);
  const page = await consoles.openAsPerson(parley, person);
  await page.locator('.user-button').waitFor();
  for (const place of places) {
    await goToPlace(page, place);
    await page.locator('h1').waitFor();
    await page.getByText('Loading …').first().waitFor({ state: 'detached' });
    const named = { nameless: [], misnamed: [], headings: 1, mains: 1, hasTitle: true };
    await waitUntilEqual(() => page.evaluate(UNNAMED), named, place);
    await assertFits(page, place, onDevices);
  }
  await page.goto(`${parley.baseUrl}/console/team/workspaces/${below.id}`);
  await page.getByRole('button', { name: `Open workspace ${below.name}` }).click();
  await page.getByRole('complementary', { name: 'Current workspace' }).waitFor();
  await assertFits(page, 'the workspace below', onDevices);
}

async function assertFits(
  page: Page,
  place: string,
  onDevices: readonly (typeof devices)[number][],
): Promise<void> {
  for (const { device, width, colorScheme } of onDevices) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate('new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame))');
    await waitUntilEqual(() => page.evaluate(MISFITS), [], `${place} on ${device}`);
  }
}

const form = { enabled: true, fields: [{ key: 'name', label: 'Name' }] };

/** Builds a workspace with content on every page of the console; returns it with the addresses of the pages. */
export async function buildPlaces(parley: SharedParley) {
  const session = await givePassword(
    parley,
    await buildSession(parley, { handoff_enabled: true, lead_capture_config: form }),
  );
  await session.visitor.post(`${session.path}/messages`, { content: 'x'.repeat(500) });
  await session.visitor.post(`${session.path}/lead`, { fields: { name: 'x'.repeat(100) } });
  const { body: contacts } = await session.client.get('/api/contacts');
  const [contact] = contacts.items;
  await session.visitor.post(`${session.path}/handoff`, { reason: 'Help '.repeat(50) });
  const held = await buildHeld(parley, session);
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
    'tools',
    'workspaces',
    `workspaces/${below.id}`,
    'settings',
  ];
  const parts = [
    'overview',
    'instructions',
    'knowledge',
    'appearance',
    'handoff',
    'leads',
    'directory',
    'test',
    'search',
    'deploy',
    'versions',
  ];
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
      'contacts',
      `contacts/${contact!.id}`,
      'bookings',
      `bookings/${booking.id}`,
      'bookings/new',
      'bookings/calendar',
      'bots',
      ...parts.map((part) => `bots/${session.bot.id}/${part}`),
      'webhooks',
      'webhooks/deliveries',
      `webhooks/deliveries/${delivery.delivery_id}`,
      'billing',
      'billing/receipts',
      'billing/profile',
      'archive',
      'encryption',
      ...teamParts.map((part) => `team/${part}`),
      'account',
    ],
  };
}

async function firstSlot(client: ApiClient): Promise<string> {
  const { body } = await client.get('/api/bookings/slots');
  return body[0]!.start;
}

/** Builds a conversation that a colleague with a long name has claimed and answered. */
async function buildHeld(
  parley: SharedParley,
  { orgId, bot }: Awaited<ReturnType<typeof buildSession>>,
): Promise<string> {
  const colleague = await parley.buildOrg({ orgId });
  const name = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(6);
  await parley.database.sql('UPDATE users SET full_name = $2 WHERE id = $1', [colleague.userId, name]);
  const { body } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
  await colleague.client.post(`/api/inbox/${body.session_id}/claim`);
  await colleague.client.post(`/api/inbox/${body.session_id}/reply`, { content: 'Hello.' });
  return body.session_id;
}
