import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { listMonths } from '../../../console/usage/usage-selection.ts';
import type { UsageDelta } from '../../../entities/usage/usage-delta.entity.ts';
import { buildBot } from '../../support/build-bot.ts';
import type { TestParley } from '../../support/parley.ts';
import { takePicture } from '../../support/pictures.ts';
import { waitUntilEqual } from '../../support/wait-until.ts';
import { addUsage, buildWorkspaceBelow, setTier, startLimited } from '../../usage/support.ts';
import { MISNAMED, NAMELESS, useConsoles } from '../../console/support.ts';

const PLACE = '/usage';
const PHONE = { viewport: { width: 360, height: 780 } };
const MONTH = new Date().toISOString().slice(0, 7);

const readFact = (page: Page, name: string) =>
  page
    .locator('.usage-figures div, .fact-list div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .innerText();

describe('the usage page', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  before(async () => {
    parley = await startLimited({
      messages_per_month: 40,
      documents: 25,
      bots: 3,
      seats: 2,
      alerts_per_month: 50,
    });
  });
  after(() => parley?.stop());

  const use = (orgId: string, used: Partial<UsageDelta>) =>
    addUsage(parley, orgId, {
      day: `${MONTH}-01`,
      inputTokens: 1200,
      outputTokens: 80,
      costUsd: 0.0042,
      ...used,
    });

  /** Creates a workspace with two bots used on several days, and a child workspace. */
  async function build() {
    const { bot, ...org } = await buildBot(parley, { name: 'Harbour Bikes' });
    await setTier(parley, org.orgId, 'free');
    const { body: other } = await org.client.post('/api/bots', { name: 'Wine Bar' });
    const botIds = [bot.id, other.id] as string[];
    const models = ['gpt-4o-mini', 'llama-3.1-8b'];
    for (let day = 1; day <= 9; day += 1)
      await use(org.orgId, {
        day: `${MONTH}-0${day}`,
        botId: botIds[day % 2]!,
        model: models[day % 3 === 0 ? 1 : 0]!,
        messages: day,
      });
    const below = await buildWorkspaceBelow(parley, org.orgId);
    await use(below.orgId, { messages: 7 });
    return org;
  }

  it('shows a month and the plan’s limits, by bot and by model, with child workspaces (getUsage, listDailyUsage)', async () => {
    const { key } = await build();
    const page = await consoles().openWithKey(parley, key, '/bots');
    await page.getByRole('link', { name: 'Usage & billing' }).click();
    await page.getByText('Messages per day').first().waitFor();
    await waitUntilEqual(() => readFact(page, 'Messages'), '45');
    assert.equal(await readFact(page, 'Left in plan'), '0');
    await page.getByText('Bots stop answering until the month ends (UTC).').waitFor();
    await page.getByLabel('Group by').selectOption('Bot');
    await page.locator('.legend').getByText('Harbour Bikes').waitFor();
    await page.locator('canvas').first().waitFor();
    await takePicture(page, 'console-usage');
    await page.getByLabel('Group by').selectOption('Model');
    await page.getByText('Show as table').click();
    await waitUntilEqual(
      () => page.locator('thead th').allInnerTexts(),
      ['Day', 'gpt-4o-mini', 'llama-3.1-8b'],
    );
    assert.deepEqual(await page.locator('tbody tr').nth(2).locator('td').allInnerTexts(), [
      `${MONTH}-03`,
      '0',
      '3',
    ]);
    await page.getByLabel('Include sub-workspaces').check();
    await waitUntilEqual(() => readFact(page, 'Messages'), '52');
    assert.equal(await readFact(page, 'Workspaces'), '2');
    await page.getByLabel('Metric').selectOption('Input tokens');
    await page.getByText('Input tokens per day').first().waitFor();
  });

  it('compares the usage of all workspaces with the plan of the workspace that pays (getUsage)', async () => {
    const { key, orgId } = await buildBot(parley);
    await setTier(parley, orgId, 'free');
    await use(orgId, { messages: 12 });
    const below = await buildWorkspaceBelow(parley, orgId);
    await use(below.orgId, { messages: 28 });
    const page = await consoles().openWithKey(parley, key, PLACE);
    const messages = page.locator('[data-limit="messages_per_month"]');
    await messages.getByText('40 of 40 · Limit reached').waitFor();
    await page.getByText('Shared by 2 workspaces.').waitFor();
    assert.equal(await readFact(page, 'Messages'), '12');
    const [, last] = listMonths(new Date());
    await page.getByLabel('Month', { exact: true }).selectOption(last!);
    await waitUntilEqual(() => readFact(page, 'Messages'), '0');
    assert.equal(await page.locator('.limit-bars').count(), 0);

    const other = await consoles().openWithKey(parley, below.key, PLACE);
    await other.getByText('All workspaces on the plan share its limits.').waitFor();
    assert.equal(await readFact(other, 'Messages this month'), '40');
    assert.equal(await readFact(other, 'Messages'), '28');
    await other.getByText('Bots stop answering until the month ends (UTC).').waitFor();
    assert.equal(await other.getByRole('meter').count(), 0);
  });

  it('saves the shown figures as CSV', async () => {
    const { key } = await build();
    const page = await consoles().openWithKey(parley, key, `${PLACE}?group_by=model`);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const file = await download;
    assert.equal(file.suggestedFilename(), `usage-${MONTH}-messages-model.csv`);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    assert.deepEqual(lines.slice(0, 4), [
      'Day,gpt-4o-mini,llama-3.1-8b',
      `${MONTH}-01,1,0`,
      `${MONTH}-02,2,0`,
      `${MONTH}-03,0,3`,
    ]);
  });

  it('shows that nothing was used, and why usage cannot be loaded', async () => {
    const { key } = await parley.buildOrg({ role: 'viewer' });
    const page = await consoles().openWithKey(parley, key, PLACE);
    await page.getByText('No usage this month').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Billing', exact: true }).count(), 0);
    const stranger = await parley.buildOrg({ scopes: ['bots:read'] });
    const refused = await consoles().openWithKey(parley, stranger.key, PLACE);
    await refused.getByRole('alert').waitFor();
    assert.equal(await refused.getByRole('link', { name: 'Usage & billing' }).count(), 0);
  });

  it('fits a phone, and all controls have accessible names', async () => {
    const { key } = await build();
    const page = await consoles().openWithKey(parley, key, `${PLACE}?group_by=bot`, PHONE);
    await page.locator('canvas').first().waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
    assert.deepEqual(await page.evaluate(NAMELESS), []);
    assert.deepEqual(await page.evaluate(MISNAMED), []);
  });
});
