import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../support/browser.ts';
import { startHostSite, type HostSite } from '../../support/host-site.ts';
import { startModelServer, type ModelServer } from '../../support/model-server.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { untilSaid, WidgetVisits } from '../../support/widget-page.ts';
import { buildActiveBot } from '../../support/widget.ts';

describe('the widget in a browser', function () {
  this.timeout(60_000);
  let browser: Browser | null;
  let model: ModelServer;
  let parley: TestParley;
  let site: HostSite;
  let visits: WidgetVisits;
  let answer: Parameters<typeof startModelServer>[0];
  before(async function () {
    browser = await openBrowser();
    if (browser === null) return this.skip();
    model = await startModelServer({ answer: (request) => answer!.answer!(request) });
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl });
    site = await startHostSite();
    visits = new WidgetVisits(parley, browser, site);
  });
  beforeEach(() => {
    answer = { answer: () => 'A day pass costs **12 euros**.' };
  });
  afterEach(() => visits?.closeAll());
  after(async () => {
    await browser?.close();
    await site?.close();
    await parley?.stop();
    await model?.close();
  });

  it('shows the launcher alone until it is opened, then welcome, questions and answers', async () => {
    const { bot } = await buildActiveBot(parley, {
      welcome_message: 'Hello! Ask me about **bikes**.',
      starter_questions: ['What does a day pass cost?', 'When are you open?'],
    });
    const visit = await visits.visit(bot);
    await visit.launcher.waitFor();
    assert.equal(await visit.panel.isVisible(), false);
    assert.equal(await parley.database.sql('SELECT 1 FROM conversations').then((rows) => rows.length), 0);
    await visit.open();
    await visit.sees('Hello! Ask me about');
    await visit.button('What does a day pass cost?').click();
    await untilSaid(visit, ['user: What does a day pass cost?', 'assistant: A day pass costs 12 euros.']);
    assert.equal(await visit.panel.locator('.items strong').textContent(), '12 euros');
    await visit.say('And a week?');
    await untilSaid(visit, [
      'user: What does a day pass cost?',
      'assistant: A day pass costs 12 euros.',
      'user: And a week?',
      'assistant: A day pass costs 12 euros.',
    ]);
    await visit.picture('widget-light');
    assert.deepEqual(visit.complaints, []);
  });
});
