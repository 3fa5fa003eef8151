import assert from 'node:assert/strict';
import { takePicture } from '../support/pictures.ts';
import { buildDocument, buildPassage } from '../support/knowledge.ts';
import { startSharedParleyWithWorker, type SharedParleyWithWorker } from '../support/worker.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { openNewBot } from './new-bot.ts';
import { useConsoles } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('test sets in the console', function () {
  const consoles = useConsoles(this);
  let parley: SharedParleyWithWorker;
  before(async () => (parley = await startSharedParleyWithWorker()));

  it('are created, run, and compared with an earlier run', async () => {
    const { page, bot, orgId } = await openNewBot(consoles(), parley, 'test?mode=sets', {
      strict_kb_mode: true,
    });
    await buildPassage(parley.database, { orgId, botId: bot.id }, 'A day pass costs £9 in every season.');
    await page.getByRole('button', { name: 'Create test set' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Prices');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('No questions yet').waitFor();
    await page.getByRole('button', { name: 'Add question' }).click();
    await page.getByRole('textbox', { name: 'Question' }).fill('What does a day pass cost?');
    await page.getByRole('textbox', { name: 'Words' }).fill('£8');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('table', { name: 'Questions' }).getByText('£8').waitFor();

    await page.getByRole('button', { name: 'Actions: Prices' }).click();
    await page.getByRole('menuitem', { name: 'Import CSV…' }).click();
    await page.getByRole('textbox', { name: 'CSV' }).fill('question,expects\nDo you sell hats?,perhaps\n');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('row 2: expects must be one of answer, refusal, handoff').waitFor();
    await page.getByRole('textbox', { name: 'CSV' }).fill('question,expects\nDo you sell hats?,refusal\n');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('table', { name: 'Questions' }).getByText('Do you sell hats?').waitFor();

    await page.getByRole('button', { name: 'Run test' }).click();
    await page.getByText('1 of 2 passed (50%)').waitFor();
    const results = page.getByRole('list', { name: 'Results' }).locator('li');
    await waitUntilEqual(() => results.locator('.status').allInnerTexts(), ['Missing words', 'Passed']);
    await page.getByText('Failed', { exact: true }).click();
    await waitUntilEqual(() => results.count(), 1);

    await page.getByRole('link', { name: 'Questions' }).click();
    await page.getByRole('button', { name: 'Actions: What does a day pass cost?' }).click();
    await page.getByRole('menuitem', { name: 'Edit…' }).click();
    await page.getByRole('textbox', { name: 'Words' }).fill('£9');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('table', { name: 'Questions' }).getByText('£9').waitFor();
    await page.getByRole('button', { name: 'Run test' }).click();
    await page.getByText('2 of 2 passed (100%)').waitFor();
    await page.getByLabel('Compare with').selectOption({ index: 1 });
    await waitUntilEqual(
      () => results.first().locator('.status').allInnerTexts(),
      ['Passed', 'Missing words'],
    );
    await page.getByRole('button', { name: 'Actions: Prices' }).click();
    await page.getByRole('menuitem', { name: 'Settings…' }).click();
    await page.getByRole('spinbutton', { name: 'Pass rate required to go live (%)' }).fill('100');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('100% required to go live').waitFor();
    await page.getByRole('link', { name: 'All test sets' }).click();
    await page.getByRole('table', { name: 'Test sets' }).getByText('2 of 2 passed (100%)').waitFor();
    assert.ok(page.url().endsWith(`/console/bots/${bot.id}/test?mode=sets`));
  });

  itInSoak('contain the drafted questions that the user chooses', async () => {
    const { page, bot, client, orgId } = await openNewBot(consoles(), parley, 'test?mode=sets');
    for (const title of ['What does a day pass cost?', 'Where are you?'])
      await buildDocument(parley.database, { orgId, botId: bot.id, title, chunkCount: 1 });
    const { body: set } = await client.post(`/api/ext/bots/${bot.id}/test-sets`, { name: 'Prices' });
    await page.goto(`${parley.baseUrl}/console/bots/${bot.id}/test?mode=sets&set=${set.id}`);
    await page.getByRole('button', { name: 'Draft questions…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Draft questions' });
    await dialog.getByLabel('Draft from').selectOption('ratings');
    await dialog.getByRole('button', { name: 'Draft', exact: true }).click();
    await dialog.getByText('No visitor has rated an answer of this bot with a thumbs up yet.').waitFor();
    await dialog.getByLabel('Draft from').selectOption('documents');
    await dialog.getByRole('button', { name: 'Draft', exact: true }).click();
    await dialog.getByText('This bot does not answer with a language model.').waitFor();
    await dialog.getByRole('checkbox', { name: 'Where are you?' }).uncheck();
    await takePicture(page, 'test-set-drafts');
    await dialog.getByRole('button', { name: 'Add 1 question' }).click();
    await page
      .getByRole('table', { name: 'Questions' })
      .getByText('What does a day pass cost?')
      .first()
      .waitFor();
    const { body } = await client.get(`/api/ext/bots/${bot.id}/test-sets/${set.id}`);
    assert.deepEqual(
      body.questions.map(({ question }) => question),
      ['What does a day pass cost?'],
    );
  });

  itInSoak('say that a run no longer exists', async () => {
    const { page, client, bot } = await openNewBot(consoles(), parley, 'test?mode=sets');
    const { body: set } = await client.post(`/api/ext/bots/${bot.id}/test-sets`, { name: 'Prices' });
    await page.goto(`${parley.baseUrl}/console/bots/${bot.id}/test?mode=sets&set=${set.id}&run=${bot.id}`);
    await page.getByText('This run no longer exists. A test set keeps its last 20 runs.').waitFor();
  });

  itInSoak('fit a phone', async () => {
    const { page, client, bot } = await openNewBot(consoles(), parley, 'test?mode=sets');
    const { body: set } = await client.post(`/api/ext/bots/${bot.id}/test-sets`, {
      name: 'Prices and memberships of the whole year',
      questions: [{ question: 'What does a day pass cost in a season without any holidays?', words: ['£9'] }],
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${parley.baseUrl}/console/bots/${bot.id}/test?mode=sets&set=${set.id}`);
    await page.getByText('£9').waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
  });
});
