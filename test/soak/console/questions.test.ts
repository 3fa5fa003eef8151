import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { ask, groupAll } from '../../analytics/question-support.ts';
import { buildBot } from '../../support/build-bot.ts';
import { takePicture } from '../../support/pictures.ts';
import { waitUntilEqual } from '../../support/wait-until.ts';
import { startSharedParleyWithWorker, type SharedParleyWithWorker } from '../../support/worker.ts';
import { goToPlace, MISNAMED, NAMELESS, useConsoles } from '../../console/support.ts';

const PLACE = '/analytics/questions';
const PHONE = { viewport: { width: 360, height: 780 } };
const QUESTIONS: [question: string, asked: number, unanswered: number][] = [
  ['Do you rent tandems with child seats?', 5, 4],
  ['What are your opening hours in Berlin?', 6, 2],
  ['What are your opening hours in Paris?', 3, 1],
  ['<b>Can</b> I bring my dog along?', 2, 0],
];

const row = (page: Page, text: string) => page.locator('tbody tr').filter({ hasText: text });

describe('the page of questions', function () {
  const consoles = useConsoles(this);
  let parley: SharedParleyWithWorker;
  before(async () => (parley = await startSharedParleyWithWorker()));

  /** Creates a bot with questions, and a person who may read them. */
  async function build(questions = QUESTIONS) {
    const { bot, ...org } = await buildBot(parley, { name: 'Harbour Bikes' });
    const ofBot = { orgId: org.orgId, botId: bot.id };
    for (const [question, asked, unanswered] of questions)
      for (let n = 0; n < asked; n += 1) await ask(parley, ofBot, question, { isUnanswered: n < unanswered });
    await groupAll(parley);
    return { ...org, bot };
  }

  const readQuestions = (page: Page) => page.locator('tbody .question-text').allInnerTexts();

  it('shows counts in the chosen order, by days and bot, and links to conversations (listTopQuestions)', async () => {
    const { key, client } = await build();
    const { body: other } = await client.post('/api/bots', { name: 'Other' });
    const page = await consoles().openWithKey(parley, key, '/analytics');
    await page.getByRole('link', { name: 'Questions', exact: true }).click();
    const [tandems = '', berlin = '', paris = '', dog = ''] = QUESTIONS.map(([question]) => question);
    await waitUntilEqual(() => readQuestions(page), [tandems, berlin, paris, dog]);
    const cells = async () => (await row(page, tandems).locator('td').allInnerTexts()).slice(1, 4);
    // Wait for the bots' names, which the page loads separately.
    await waitUntilEqual(cells, ['Harbour Bikes', '5', '4']);
    await page.getByLabel('Sort by').selectOption('Most asked first');
    await waitUntilEqual(() => readQuestions(page), [berlin, tandems, paris, dog]);
    await page.getByLabel('Period').selectOption('Last 7 days');
    await waitUntilEqual(() => readQuestions(page), [berlin, tandems, paris, dog]);
    await page.getByLabel('Bot').selectOption(other.id as string);
    await page.getByText('No questions in this period').waitFor();
    await page.getByLabel('Bot').selectOption('All bots');
    await row(page, berlin).getByRole('link', { name: 'Conversation 1' }).click();
    await page.getByText(berlin, { exact: true }).first().waitFor();
  });

  it('falls back to the default days and order for invalid URL parameters (listTopQuestions)', async () => {
    const { key } = await build(QUESTIONS.slice(0, 1));
    const page = await consoles().openWithKey(parley, key, PLACE);
    for (const days of ['abc', '1e9', '400', '-7']) {
      await goToPlace(page, `analytics/questions?days=${days}&sort=zz`);
      await row(page, QUESTIONS[0]![0]).waitFor();
      assert.equal(await page.getByLabel('Period').inputValue(), '30');
      assert.equal(await page.getByLabel('Sort by').inputValue(), '');
    }
  });

  it('drafts from a reply, tests and publishes an answer (draftAnswer, testAnswer, createDocument)', async () => {
    const { key, client, bot } = await build();
    const [{ conversation_ids: [conversationId = ''] } = assert.fail()] = (
      await client.get('/api/analytics/questions')
    ).body;
    await client.post(`/api/inbox/${conversationId}/claim`);
    const reply = 'Tandems with a child seat cost thirty euros a day.';
    await client.post(`/api/inbox/${conversationId}/reply`, { content: reply });
    const page = await consoles().openWithKey(parley, key, PLACE);
    const [question] = QUESTIONS[0]!;
    await row(page, question).getByRole('button', { name: 'Add answer' }).click();
    assert.equal(await page.getByLabel('Question', { exact: true }).inputValue(), question);
    await page.getByRole('button', { name: 'Draft an answer' }).click();
    await page.getByText('Drafted from your team’s replies. Remove personal details.').waitFor();
    const answer = page.getByLabel('Answer', { exact: true });
    await waitUntilEqual(() => answer.inputValue(), reply);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('Uses this answer').waitFor();
    await takePicture(page, 'console-answer-draft');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await row(page, question).getByText('Ready', { exact: true }).waitFor();
    const { body } = await client.get(`/api/bots/${bot.id}/knowledge`);
    assert.deepEqual(
      body.items.map(({ title, is_qa: isQa, status }) => [title, isQa, status]),
      [[question, true, 'indexed']],
    );
    await takePicture(page, 'console-questions');
    await row(page, question).getByRole('link', { name: 'View answer' }).click();
    await page.getByRole('dialog').getByRole('heading', { name: question }).waitFor();
  });

  it('adds questions to a new test set, and then to the same set (createTestSet, addTestQuestions)', async () => {
    const { key, client, bot } = await build();
    const page = await consoles().openWithKey(parley, key, PLACE);
    const add = async (question: string, expected: string) => {
      await page.getByRole('button', { name: `Actions: ${question}` }).click();
      await page.getByRole('menuitem', { name: 'Add to test set…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add to test set' });
      await dialog.getByLabel('The bot should').selectOption({ label: expected });
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await add(QUESTIONS[0]![0], 'Say it has no answer');
    await add(QUESTIONS[1]![0], 'Answer');
    const { body: sets } = await client.get(`/api/ext/bots/${bot.id}/test-sets`);
    const [{ id, name } = assert.fail()] = sets.items;
    assert.deepEqual([sets.total, name], [1, 'Visitors’ questions']);
    const { body: set } = await client.get(`/api/ext/bots/${bot.id}/test-sets/${id}`);
    assert.deepEqual(
      set.questions.map(({ question, expects }) => [question, expects]),
      [
        [QUESTIONS[0]![0], 'refusal'],
        [QUESTIONS[1]![0], 'answer'],
      ],
    );
  });

  it('saves the shown questions as CSV', async () => {
    const { key } = await build();
    const page = await consoles().openWithKey(parley, key, `${PLACE}?sort=asked`);
    await row(page, QUESTIONS[0]![0]).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const file = await download;
    assert.match(file.suggestedFilename(), /^questions-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
    const [head, first, ...others] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    assert.equal(head, 'question,bot_id,asked,unanswered,last_asked_at,conversation_ids');
    assert.match(first!, /^What are your opening hours in Berlin\?,[0-9a-f-]{36},6,2,2/);
    assert.equal(others.length, 3);
  });

  it('shows viewers the questions without the button for an answer', async () => {
    const { orgId } = await build();
    const viewer = await parley.buildOrg({ orgId, role: 'viewer' });
    const page = await consoles().openWithKey(parley, viewer.key, PLACE);
    await row(page, QUESTIONS[0]![0]).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Add answer' }).count(), 0);
  });

  it('shows why questions cannot be loaded, and that none were asked', async () => {
    const { orgId } = await build([]);
    const quiet = await consoles().openWithKey(parley, (await parley.buildOrg({ orgId })).key, PLACE);
    await quiet.getByText('No questions in this period').waitFor();
    assert.equal(await quiet.getByRole('button', { name: 'Export CSV' }).isDisabled(), true);
    const stranger = await parley.buildOrg({ scopes: ['bots:read'] });
    const page = await consoles().openWithKey(parley, stranger.key, PLACE);
    await page.getByRole('alert').waitFor();
  });

  it('fits a phone, and all controls have accessible names', async () => {
    const long = 'Why does the battery of my cargo bike charge so slowly in winter and '.repeat(12);
    const { key } = await build([...QUESTIONS, [`${long}?`, 1, 1]]);
    const page = await consoles().openWithKey(parley, key, PLACE, PHONE);
    await row(page, QUESTIONS[0]![0]).waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
    assert.deepEqual(await page.evaluate(NAMELESS), []);
    assert.deepEqual(await page.evaluate(MISNAMED), []);
    await row(page, 'battery').getByRole('button', { name: 'Add answer' }).click();
    await page.getByLabel('Answer', { exact: true }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
    assert.equal((await page.getByLabel('Question', { exact: true }).inputValue()).length, 500);
  });
});
