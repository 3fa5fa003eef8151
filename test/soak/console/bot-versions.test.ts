import assert from 'node:assert/strict';
import { BotVersion } from '../../../entities/bots/bot-version.entity.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { takePicture } from '../../support/pictures.ts';
import { waitUntilEqual } from '../../support/wait-until.ts';
import { openNewBot } from '../../console/new-bot.ts';
import { goToPlace, MISNAMED, NAMELESS, useConsoles } from '../../console/support.ts';

const PROMPT = `You help visitors of Harbour Bikes.\n${'Every fact comes from the documents. '.repeat(500)}\nBe brief.`;

describe('versions of bots in the console', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  const openBot = (part: string, config: object = {}) => openNewBot(consoles(), parley, part, config);

  it('are saved with a note, compared word by word and by list key, and restored', async () => {
    const { page, client, url, bot } = await openBot('versions', {
      system_prompt: PROMPT,
      starter_questions: ['Where are you?', 'What does it cost?', 'Do you rent?'],
      lead_capture_config: { enabled: true, fields: [{ key: 'name', label: 'Name' }] },
    });
    await page.getByRole('heading', { name: 'No versions yet' }).waitFor();
    await page.getByLabel('Version note (optional)').fill('As it began');
    await page.getByRole('button', { name: 'Save version' }).click();
    await page.getByRole('cell', { name: 'As it began' }).waitFor();
    await client.patch(url, {
      name: 'Service',
      is_public: false,
      system_prompt: PROMPT.replace('Be brief.', 'Be kind and brief.').replace('Harbour', 'Dockside'),
      starter_questions: ['Do you rent?', 'Where are you?', 'When are you open?'],
      lead_capture_config: { enabled: true, fields: [{ key: 'name', label: 'Your name' }] },
    });
    await client.post(`${url}/versions`, { note: 'Another one' });
    await page.reload();
    await page.getByRole('cell', { name: 'Ada Okafor' }).nth(1).waitFor();
    await page.getByRole('link', { name: 'Version 1' }).click();
    const different = page.getByRole('region', { name: 'Version 1 → Current' });
    await different.locator('del', { hasText: 'Harbour' }).waitFor();
    await waitUntilEqual(
      async () =>
        (await different.locator('ins').allInnerTexts()).map((text) => text.replace(/^added:/, '').trim()),
      ['Service', 'Dockside', 'kind and', 'When are you open?', 'Your name', 'No'],
    );
    await different
      .getByText(/^18,?\d{3} characters unchanged$/)
      .first()
      .waitFor();
    await waitUntilEqual(
      () => different.getByRole('listitem').locator('.status').allInnerTexts(),
      ['Moved', 'Removed', 'Added', 'Changed'],
    );
    await waitUntilEqual(() => different.getByText('now at position').count(), 1);
    await waitUntilEqual(
      async () => [await page.evaluate(NAMELESS), await page.evaluate(MISNAMED)],
      [[], []],
    );
    await takePicture(page, 'console-version');
    await page.getByLabel('Compare with').selectOption('Version 2');
    await page.getByRole('heading', { name: 'Version 1 → Version 2' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Version 1 → Version 2' }).waitFor();
    await page.setViewportSize({ width: 360, height: 780 });
    await waitUntilEqual(() => page.evaluate('document.documentElement.scrollWidth'), 360);
    await page.goBack();
    await different.waitFor();
    await page.getByRole('button', { name: 'Restore version' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore version 1?' });
    await dialog.getByText('Your current settings are saved as a version first').waitFor();
    await dialog.getByRole('button', { name: 'Restore version' }).click();
    await different.getByText('No differences').waitFor();
    const { body: restored } = await client.get(url);
    assert.deepEqual([restored.name, restored.system_prompt], ['Help desk', PROMPT]);
    await page.getByRole('link', { name: 'All versions' }).click();
    await page.getByRole('cell', { name: 'Before restoring version 1' }).waitFor();
    await goToPlace(page, `bots/${bot.id}/versions/99`);
    await page.getByRole('alert').waitFor();
  });

  it('show why a version cannot be restored, and what is missing after a restore', async () => {
    const { page, client, url, bot } = await openBot('versions', { llm_provider: 'byok', api_key: 'sk-1' });
    for (const note of ['With a key', 'Unfit']) await client.post(`${url}/versions`, { note });
    await client.patch(url, { llm_provider: 'platform', api_key: null });
    await parley.database
      .repository(BotVersion)
      .update({ botId: bot.id, version: 2 }, { snapshot: { name: '', temperature: 9 } } as object);
    await page.reload();
    const restore = async (version: number) => {
      await page.getByRole('button', { name: `Actions: version ${version}` }).click();
      await page.getByRole('menuitem', { name: 'Restore' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Restore version' }).click();
    };
    await restore(2);
    const refusal = page.getByRole('dialog').getByRole('alert');
    await refusal.getByText('Version 2 is no longer valid for a bot').waitFor();
    await refusal
      .getByRole('listitem')
      .filter({ hasText: /^name / })
      .waitFor();
    await refusal
      .getByRole('listitem')
      .filter({ hasText: /^temperature / })
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await restore(1);
    await page.getByRole('alert').getByText('set api_key').waitFor();
  });

  it('are saved together with settings on request, and can be saved again after a failure', async () => {
    const { page, client, url } = await openBot('appearance');
    await page.getByLabel('Welcome').fill('Ahoy!');
    await page.getByLabel('Save as a new version').check();
    await page.getByLabel('Version note').fill('With a welcome');
    await page.route('**/versions', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 503, contentType: 'application/json', body: '{}' })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The bot was saved, but not as a version:').waitFor();
    assert.equal((await client.get(url)).body.welcome_message, 'Ahoy!');
    await page.unroute('**/versions');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Version 1 saved').waitFor();
    await waitUntilEqual(() => page.getByRole('region', { name: 'Unsaved changes' }).count(), 0);
    const [kept] = (await client.get(`${url}/versions`)).body;
    assert.deepEqual([kept!.note, kept!.snapshot['welcome_message']], ['With a welcome', 'Ahoy!']);
  });

  it('are listed page by page for viewers, who cannot restore them', async () => {
    const { page, client, url, bot, orgId } = await openBot('versions');
    for (let count = 0; count < 51; count += 1)
      await client.post(`${url}/versions`, { note: `No ${count + 1}` });
    await page.reload();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('link', { name: 'Version 1', exact: true }).waitFor();
    await waitUntilEqual(() => page.getByRole('link', { name: /^Version / }).count(), 51);
    const viewer = await parley.buildOrg({ orgId, role: 'viewer' });
    const other = await consoles().openWithKey(parley, viewer.key, `#/bots/${bot.id}/versions/3`);
    await other.getByText('No differences').waitFor();
    await other.getByRole('button', { name: 'Load older versions' }).waitFor();
    await waitUntilEqual(
      () => other.getByRole('main').getByRole('button').allInnerTexts(),
      ['Load older versions'],
    );
  });

  it('stay with the original bot when it is duplicated; the copy is a draft in this or another workspace', async () => {
    const { page, client, bot, orgId } = await openBot('settings');
    const { body: below } = await client.post(`/api/orgs/${orgId}/children`, { name: 'Branch' });
    await page.reload();
    const openDialog = async () => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    };
    await openDialog();
    const dialog = page.getByRole('dialog', { name: 'Duplicate Help desk' });
    await waitUntilEqual(() => dialog.getByLabel('Name').inputValue(), 'Help desk (copy)');
    await dialog.getByLabel('Workspace').selectOption({ label: '\u2003Branch' });
    await dialog.getByRole('button', { name: 'Duplicate bot' }).click();
    await page.getByText('Help desk (copy) created as a draft in Branch').waitFor();
    assert.equal((await client.get('/api/bots')).body.total, 1);
    assert.equal(typeof below.id, 'string');
    await openDialog();
    await dialog.getByLabel('Name').fill('Second desk');
    await dialog.getByRole('button', { name: 'Duplicate bot' }).click();
    await page.getByRole('heading', { name: 'Second desk' }).waitFor();
    const { body } = await client.get('/api/bots');
    assert.deepEqual(
      body.items.map(({ name, status }) => [name, status]),
      [
        ['Second desk', 'draft'],
        ['Help desk', 'draft'],
      ],
    );
    assert.notEqual(body.items[0]!.id, bot.id);
  });
});
