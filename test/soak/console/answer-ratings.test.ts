import { addAnswer } from '../../support/extension-resources.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { takePicture } from '../../support/pictures.ts';
import { waitUntilEqual } from '../../support/wait-until.ts';
import { openNewBot } from '../../console/new-bot.ts';
import { useConsoles } from '../../console/support.ts';

describe('ratings of answers in the console', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  it('are listed in analytics and shown below the answer, with the visitor’s words', async () => {
    const { page, bot, client } = await openNewBot(consoles(), parley, 'overview');
    await client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    await page.goto(`${parley.baseUrl}/console/analytics/answers`);
    await page.getByText('No rated answers yet').waitFor();

    const { body: session } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const answerId = await addAnswer(parley, session);
    const rating = { rating: 'down', reason: 'incorrect', comment: 'We have new prices.' };
    const path = `/api/ext/public/sessions/${session.session_id}/messages/${answerId}/rating` as const;
    await parley.client(session.visitor_token).put(path, rating);
    await page.reload();
    const row = page.getByRole('table', { name: 'Rated answers' }).getByRole('row').nth(1);
    await row.getByText('When do you open?').waitFor();
    await row.getByText('Not helpful · Incorrect').waitFor();
    await row.getByText('We have new prices.').waitFor();
    await waitUntilEqual(() => page.locator('.tile strong').allInnerTexts(), ['0%', '1']);
    await takePicture(page, 'console-answers');
    await page.getByLabel('Rating').selectOption('up');
    await page.getByText('No rated answers match your filters.').waitFor();
    await page.getByLabel('Rating').selectOption('');
    await row.getByRole('link', { name: 'Conversation' }).click();
    const answer = page.locator('.message-group[data-role=assistant]');
    await answer.getByText('Not helpful · Incorrect').waitFor();
    await answer.getByText('We have new prices.').waitFor();
  });
});
