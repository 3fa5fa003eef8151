import type { Page } from 'playwright-core';
import { buildPerson } from '../../accounts/support.ts';
import { button, findRow, menuItem, useTeam } from '../../console/team-support.ts';
import type { TestParley } from '../../support/parley.ts';

describe('the page of requests', function () {
  let parley: TestParley;
  const { open } = useTeam(this, (started) => (parley = started));

  async function search(page: Page, text: string): Promise<void> {
    await page.getByRole('searchbox', { name: 'Search operation or request ID' }).fill(text);
    await page.keyboard.press('Enter');
  }

  it('shows requests made with keys, filters them by request id, operation and outcome, and shows their details (listRequests)', async () => {
    const person = await buildPerson(parley);
    const page = await open(person, '/team/requests');
    await page.getByText('No requests yet').waitFor();
    const { headers, body: bot } = await person.client.post('/api/bots', { name: 'Guide' });
    const { problem } = await person.client.get('/api/bots/none');
    await parley.runtime.services.requests.requestLog.flush();
    await button(page, 'Refresh').click();
    await findRow(page, 'createBot').getByText('201').waitFor();
    await findRow(page, 'getBot').getByText('validation_error').waitFor();
    await findRow(page, 'getBot').getByText('path bot_id').waitFor();

    await button(page, 'Filter').click();
    await menuItem(page, 'Outcome').click();
    await page.getByRole('menuitemradio', { name: 'Failed' }).click();
    await findRow(page, 'createBot').waitFor({ state: 'detached' });
    await button(page, 'getBot').click();
    await page.getByRole('dialog').getByText(problem.request_id).waitFor();
    await page.keyboard.press('Escape');
    await person.client.patch(`/api/bots/${bot.id}`, { colour: 'red' });
    await parley.runtime.services.requests.requestLog.flush();
    await button(page, 'Refresh').click();
    await button(page, 'updateBot').click();
    await page.getByText('* replaces a field name that is unknown to the API.').waitFor();
    await page.keyboard.press('Escape');

    await search(page, headers.get('x-request-id')!);
    await page.getByText('No requests match your filters.').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await search(page, headers.get('x-request-id')!);
    await findRow(page, 'getBot').waitFor({ state: 'detached' });
    await findRow(page, 'createBot').waitFor();
    await search(page, 'getBot');
    await findRow(page, 'getBot').waitFor();
  });
});
