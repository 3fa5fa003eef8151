import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { fillScene } from '../../analytics/scene.ts';
import { readOverview } from '../../analytics/support.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { takePicture } from '../../support/pictures.ts';
import { waitUntilEqual, waitUntilMatches } from '../../support/wait-until.ts';
import { buildActiveBot } from '../../support/widget.ts';
import { chooseZone, goToPlace, MISNAMED, NAMELESS, useConsoles } from '../../console/support.ts';

const DESK = { viewport: { width: 1280, height: 1250 } };
const PHONE = { viewport: { width: 360, height: 780 }, colorScheme: 'dark' } as const;

describe('the overview of analytics', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  /** Creates a workspace with two bots and conversations over some days. */
  async function buildFull(days = 60, conversations = 600) {
    const org = await buildActiveBot(parley, { name: 'Harbour Bikes' });
    const { body: second } = await org.client.post('/api/bots', { name: 'Boats' });
    const botIds = [org.bot.id, second.id];
    await fillScene(parley.database, { botIds, conversations, days, hasMessages: true });
    return { ...org, second };
  }

  const figure = (page: Page, name: string) =>
    page
      .locator('.tiles > div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('strong');
  const chart = (page: Page, title: string) => page.getByRole('region', { name: title });

  it('shows the same figures as charts, tables and CSV (getAnalyticsOverview)', async () => {
    const { client, key } = await buildFull();
    const page = await consoles().openWithKey(parley, key, '/analytics?timezone=UTC', DESK);
    await chart(page, 'Conversations per day').getByRole('img').waitFor();
    const from = new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10);
    const known = await readOverview(client, { from: `${from}T00:00:00Z` });
    await waitUntilEqual(() => figure(page, 'Conversations').innerText(), String(known.conversations));
    await waitUntilEqual(() => figure(page, 'Leads').innerText(), String(known.leads));
    await waitUntilEqual(
      () => figure(page, 'Handoff requests').innerText(),
      String(known.handoffs.requested),
    );
    await waitUntilEqual(() => figure(page, 'Rating').innerText(), known.ratings.average!.toFixed(1));
    const drawn = chart(page, 'Conversations per day');
    await waitUntilMatches(
      async () => (await drawn.getByRole('img').getAttribute('aria-label')) ?? '',
      /^Conversations per day, \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\. Conversations: from \d+ to \d+ \(/,
    );
    await waitUntilEqual(() => drawn.locator('canvas').count(), 1);
    await drawn.getByText('Show as table').click();
    await waitUntilEqual(() => drawn.locator('tbody tr').count(), 30);
    const last = known.days!.at(-1)!;
    await waitUntilEqual(
      () => drawn.locator('tbody tr').last().locator('td').allInnerTexts(),
      [last.date, last.conversations, last.self_served, last.resolved].map(String),
    );
    const download = page.waitForEvent('download');
    await drawn.getByRole('button', { name: 'Export CSV' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n');
    assert.deepEqual([lines[0], lines.length], ['Day,Conversations,Self-served,Resolved', 32]);
    const all = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV', exact: true }).click();
    assert.match(
      await readFile(await (await all).path(), 'utf8'),
      new RegExp(
        `^Figure,Value,Detail\r\nConversations,${known.conversations},of ${known.sessions} sessions\r\n`,
      ),
    );
    await waitUntilEqual(
      async () => [await page.evaluate(NAMELESS), await page.evaluate(MISNAMED)],
      [[], []],
    );
    await drawn.getByText('Show as table').click();
    await takePicture(page, 'console-analytics');
  });

  it('filters by bot, days and time zone, which the URL contains (getAnalyticsOverview)', async () => {
    const { client, key, second } = await buildFull();
    const page = await consoles().openWithKey(parley, key, '/analytics?timezone=UTC', DESK);
    await page.getByLabel('Bot').selectOption('Boats');
    await page.getByLabel('Period').selectOption('Last 7 days');
    const from = new Date(Date.now() - 6 * 86_400_000).toISOString().slice(0, 10);
    const known = await readOverview(client, { from: `${from}T00:00:00Z`, bot_id: second.id });
    await waitUntilEqual(() => figure(page, 'Conversations').innerText(), String(known.conversations));
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Mars/Olympus');
    await page.getByText('No time zones found').waitFor();
    await chooseZone(page, 'Asia/Kathmandu');
    await waitUntilMatches(() => page.url(), /timezone=Asia%2FKathmandu/);
    await page.getByLabel('Period').selectOption('Custom range');
    await page.getByLabel('From', { exact: true }).fill('2027-01-01');
    await page.getByText("The end date can't be before the start date.").waitFor();
    await page.getByLabel('From', { exact: true }).fill('2020-01-01');
    await page.getByText('Choose at most 366 days.').waitFor();
    await goToPlace(page, 'analytics?timezone=Mars/Olympus');
    await page.getByText('Unknown time zone').waitFor();
  });

  it('shows each day of a year, even on a phone (getAnalyticsOverview)', async () => {
    const { key } = await buildFull(300, 900);
    const page = await consoles().openWithKey(parley, key, '/analytics?days=365', PHONE);
    const drawn = chart(page, 'Conversations per day');
    await drawn.getByRole('img').waitFor();
    await drawn.getByText('Show as table').click();
    await waitUntilEqual(() => drawn.locator('tbody tr').count(), 365);
    await drawn.getByText('Show as table').click();
    await waitUntilEqual(() => page.evaluate('document.documentElement.scrollWidth'), PHONE.viewport.width);
    await waitUntilEqual(
      () => page.evaluate('document.querySelector("main").scrollWidth'),
      PHONE.viewport.width,
    );
  });

  it('shows empty and forbidden states, and retries (getAnalyticsOverview)', async () => {
    const org = await parley.buildOrg({ role: 'viewer' });
    const page = await consoles().openWithKey(parley, org.key, '/analytics');
    await page.getByText('No data for this period').waitFor();
    await page.route('**/api/analytics/overview*', (route) => route.abort());
    await page.getByLabel('Period').selectOption('Last 7 days');
    await page.getByRole('alert').getByText("Can't reach Parley").waitFor();
    await page.unroute('**/api/analytics/overview*');
    await page.getByText('No data for this period').waitFor();

    const blind = await parley.buildOrg({ scopes: ['bots:read'] });
    const other = await consoles().openWithKey(parley, blind.key, '/analytics');
    await other.getByText("You don't have permission").waitFor();
    const areas = other.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Analytics' });
    await waitUntilEqual(() => areas.count(), 0);
  });
});
