import assert from 'node:assert/strict';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { goToPlace, useConsoles } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const QUESTIONS = '**/api/analytics/questions*';

describe('a page of the console that cannot be rendered', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  itInSoak(
    'reports the error, leaves other pages intact, and is rendered when the person returns to it',
    async () => {
      const { key } = await parley.buildOrg();
      const page = await consoles().openWithKey(parley, key, '#/bots');
      await page.route(QUESTIONS, (route) => route.fulfill({ json: [{ id: 'not a question' }] }));
      await goToPlace(page, 'analytics/questions');
      await page.getByText('Something went wrong on this page').waitFor();
      await page.getByRole('alert').getByText('An unexpected error occurred.').waitFor();
      assert.equal(consoles().errors.splice(0).length, 1);
      await goToPlace(page, 'bots');
      await page.getByRole('heading', { name: 'Bots', exact: true }).waitFor();
      await page.unroute(QUESTIONS);
      await goToPlace(page, 'analytics/questions');
      await page.getByText('No questions in this period').waitFor();
    },
  );
});
