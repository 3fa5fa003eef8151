import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { putTier } from '../console/billing-support.ts';
import { useConsoles } from '../console/support.ts';
import { findFreePorts } from '../../scripts/launcher/ports.ts';
import { Recording } from '../support/pictures.ts';
import { FakeStripe } from '../support/stripe/fake-stripe.ts';
import { describeWithStripe } from '../support/stripe/stripe-mock.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import type { WidgetPage } from '../support/widget-page.ts';
import { useWidgetScene } from '../support/widget-scene.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import type { TestOrg } from '../support/parley.ts';
import { addYear } from './paid-plan-scene.ts';
import type { TestSettings } from '../support/test-settings.ts';

const FRAME_MS = 2500;
const DESK = { viewport: { width: 1280, height: 900 } };
const VISITOR = { viewport: { width: 520, height: 900 } };
const STARTER_MESSAGES = 2;
const QUOTA = "The assistant isn't available right now.";
const ANSWER = 'A day pass costs 12 euros.';

describeWithStripe('a paid plan', function () {
  const consoles = useConsoles(this);
  let fake: FakeStripe;
  let parley: TestParleyWithWorker;
  before(async () => (fake = await FakeStripe.start()));
  after(() => fake?.stop());
  const scene = useWidgetScene(async (env) => (parley = await startSelling(fake, env)));
  let org: TestOrg;
  let page: Page;
  let visit: WidgetPage;
  let recording: Recording;

  it('is bought on the provider’s page, used up and extended by a top-up, and charts show a year of usage', async () => {
    org = await parley.buildOrg();
    await putTier(parley, org, 'free');
    const { body: bot } = await org.client.post('/api/bots', { name: 'Harbour Bikes' });
    await org.client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    page = await consoles().openAsPerson(parley, org, '/billing', DESK);
    visit = await scene.visits.visit(bot, VISITOR);
    await visit.open();
    recording = new Recording(visit.page, page);

    await buyStarter();
    await reachLimit();
    await buyTopUp();
    await recording.save('paid-plan', FRAME_MS);
    await showYear(bot.id);
    fake.requireKnownRequests();
    assert.deepEqual(fake.deliveries.failures, []);
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const go = (place: string) => page.goto(`${parley.baseUrl}/console#/${place}`);

  async function buyStarter(): Promise<void> {
    await page.getByText('No active subscription').waitFor();
    await recording.addFrame();
    await button('Choose Starter').click();
    await page.getByRole('heading', { name: 'Pay 29.00 USD' }).waitFor();
    await recording.addFrame();
    await button('Pay').click();
    await page.getByText("You're on the Starter plan now.").waitFor();
    await recording.addFrame();
  }

  async function reachLimit(): Promise<void> {
    for (let said = 1; said <= STARTER_MESSAGES; said++) {
      await visit.say(`What does a day pass cost? (${said})`);
      await waitUntilEqual(async () => (await visit.readMessages()).at(-1), `assistant: ${ANSWER}`);
    }
    await visit.say('And a child seat?');
    await visit.waitForText(QUOTA);
    await go('usage');
    await page.getByText('Bots stop answering until the month ends').waitFor();
    await page.getByText(`${STARTER_MESSAGES} of ${STARTER_MESSAGES}`).waitFor();
    await recording.addFrame();
  }

  async function buyTopUp(): Promise<void> {
    await page.getByRole('link', { name: 'View plans' }).click();
    await button('Buy 1,000 messages for $15').click();
    await page.getByRole('heading', { name: 'Pay 15.00 USD' }).waitFor();
    await recording.addFrame();
    await button('Pay').click();
    await page.getByText('1,000 messages added').waitFor();
    await visit.say('And now?');
    await waitUntilEqual(async () => (await visit.readMessages()).at(-1), `assistant: ${ANSWER}`);
    await recording.addFrame();
    const { body } = await org.client.get('/api/usage');
    assert.deepEqual(
      [body.messages, body.messages_left, body.topup_credits_left, body.exceeded],
      [STARTER_MESSAGES + 1, 0, 999, []],
    );
  }

  async function showYear(botId: string): Promise<void> {
    const count = await addYear(parley.database, { orgId: org.orgId, botId });
    await go('analytics?days=365');
    const year = new Recording(page);
    await page.getByRole('img', { name: /^Conversations per day/ }).waitFor();
    const sessions = (count + 1).toLocaleString('en-GB');
    await page.getByText(sessions, { exact: true }).first().waitFor();
    await year.addFrame();
    await go('usage?month=' + new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 7));
    await page.getByRole('img', { name: /^Messages per day/ }).waitFor();
    await year.addFrame();
    const { temporalTaskQueue } = parley.runtime.settings;
    await parley.temporal.schedule.getHandle(`${temporalTaskQueue}/group-questions`).trigger('ALLOW_ALL');
    await waitUntilEqual(
      async () => (await org.client.get('/api/analytics/questions')).body.length > 2,
      true,
    );
    await go('analytics/questions');
    await page.getByText('Where can I rent a child seat?').first().waitFor();
    await year.addFrame();
    await year.save('charts-of-a-year', FRAME_MS);
  }
});

/** Starts Parley on a known port, since the payment provider redirects to its URL. */
async function startSelling(fake: FakeStripe, env: TestSettings): Promise<TestParleyWithWorker> {
  const [port] = await findFreePorts(1);
  const plans = JSON.parse(fake.env['PARLEY_PLANS'] ?? '{}') as { starter: object };
  const parley = await startParleyWithWorker({
    ...fake.env,
    ...env,
    PORT: String(port),
    PARLEY_BASE_URL: `http://127.0.0.1:${port}`,
    PARLEY_PLANS: JSON.stringify({
      ...plans,
      starter: { ...plans.starter, messages_per_month: STARTER_MESSAGES },
    }),
  });
  fake.deliveries.urls = [`${parley.baseUrl}/api/billing/provider-events`];
  return parley;
}
