import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { BusinessSite, DESCRIPTION, PARTS } from '../bots/generation-support.ts';
import { addStep, drawEdge } from '../console/flow-drawing.ts';
import { openSection } from '../console/new-bot.ts';
import { useConsoles } from '../console/support.ts';
import { Recording } from '../support/pictures.ts';
import { startParleyWithWorker } from '../support/worker.ts';
import { useWidgetScene } from '../support/widget-scene.ts';

const FRAME_MS = 2500;
const SITE = {
  '/': `<title>Acme Bikes</title><meta name="theme-color" content="#0a7d4f"><main><h1>Acme Bikes</h1><p>We repair and rent bicycles in Lisbon.</p><a href="/prices">Pricing</a></main>`,
  '/prices': '<title>Prices</title><main><h1>Prices</h1><p>A day pass costs twelve euros.</p></main>',
};

describe('a bot that a description creates', function () {
  const consoles = useConsoles(this);
  const scene = useWidgetScene(startParleyWithWorker);
  const site = new BusinessSite();
  before(() => site.start());
  after(() => site.servers.close());

  it('is created with its website, answers with a drawn flow, is tried, activated and restored to an earlier version', async () => {
    site.show(SITE);
    scene.answer = JSON.stringify(PARTS);
    const { client, key } = await scene.parley.buildOrg();
    const page = await consoles().openWithKey(scene.parley, key, '/bots', {
      viewport: { width: 1280, height: 900 },
    });
    const recording = new Recording(page);
    const click = (name: string) => page.getByRole('button', { name, exact: true }).click();

    await page.getByRole('link', { name: 'Create bot' }).click();
    await page.getByLabel('What should your bot do?').fill(DESCRIPTION);
    await page.getByLabel('Website (optional)').fill(site.base);
    await recording.addFrame();
    await click('Generate bot');
    await page.getByRole('heading', { name: 'Draft: only visible' }).waitFor();
    await page.locator('.imported').getByText('Ready').waitFor();
    await recording.addFrame();
    await openSection(page, 'Handoff');
    await page.getByLabel('Allow handoff to a human').and(page.locator(':checked')).waitFor();
    await openSection(page, 'Overview');
    await click('Go live');
    await page.getByRole('heading', { name: 'Embed code' }).waitFor();

    await page.getByRole('link', { name: 'Flows' }).click();
    await click('Create flow');
    await page.getByLabel('Flow name').fill('What is it about');
    await page.getByRole('dialog').getByRole('button', { name: 'Create flow' }).click();
    await drawFlow(page);
    await click('Save');
    await page.getByText('Flow saved').waitFor();
    await recording.addFrame();
    await click('Try it');
    await click('Start');
    await page.getByRole('group', { name: 'Options' }).getByRole('button', { name: 'A person' }).click();
    await page.getByRole('log', { name: 'Trial' }).getByText('One moment, please.').waitFor();
    await recording.addFrame();
    await click('Activate');
    await page.getByText('Flow is live').waitFor();

    const bot = (await client.get('/api/bots')).body.items[0]!;
    const visit = await scene.visits.visit(bot, { viewport: { width: 520, height: 900 } });
    const both = new Recording(visit.page, page);
    await visit.open();
    await visit.waitForText('What can we do for you?');
    await both.addFrame();
    await visit.panel.getByRole('group', { name: 'Please choose' }).getByText('A person').click();
    await visit.waitForText('Connecting you to the team… You can keep typing.');
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.locator('.inbox-row').click();
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await visit.waitForText('joined the chat');
    await both.addFrame();
    const [conversation] = (await client.get('/api/conversations')).body.items;
    const { body } = await client.get(`/api/conversations/${conversation!.id}`);
    assert.deepEqual(
      body.messages.flatMap(({ event }) => (event?.kind === 'handoff_requested' ? event.requested_by : [])),
      ['flow'],
    );

    const go = (tab: string) => page.goto(`${scene.parley.baseUrl}/console#/bots/${bot.id}/${tab}`);
    await go('versions');
    await page.getByLabel('Version note').fill('Open for business');
    await click('Save version');
    await page.getByRole('link', { name: 'Version 2', exact: true }).waitFor();
    await go('appearance');
    await page.getByLabel('Welcome message').fill('We are closed for ever!');
    await click('Save');
    await page.getByText('Changes saved').waitFor();
    await go('versions/2');
    await page
      .getByRole('region', { name: /^Version 2 → / })
      .getByText('closed')
      .waitFor();
    await recording.addFrame();
    await click('Restore version');
    await page.getByRole('dialog').getByRole('button', { name: 'Restore version' }).click();
    await page.getByText('No differences').waitFor();
    await recording.addFrame();
    const { body: restored } = await client.get(`/api/bots/${bot.id}`);
    assert.equal(restored.welcome_message, PARTS.welcome_message);
    await recording.save('described-bot', FRAME_MS);
    await both.save('flow-conversation', FRAME_MS);
  });

  async function drawFlow(page: Page): Promise<void> {
    await page.getByText('Name and trigger').click();
    await page.getByLabel('Trigger', { exact: true }).selectOption('conversation_started');
    await addStep(page, 'question', 'Question');
    await page.getByLabel('Question', { exact: true }).fill('What can we do for you?');
    await page.getByLabel('Answer type').selectOption('choice');
    for (const [index, label] of ['A person', 'Prices'].entries()) {
      const option = page.getByRole('group', { name: `Option ${index + 1}` });
      await option.getByLabel('Label', { exact: true }).fill(label);
    }
    await addStep(page, 'handoff', 'Transfer');
    await page.getByLabel('Message', { exact: true }).fill('One moment, please.');
    await addStep(page, 'end', 'End');
    await page.getByLabel('Message', { exact: true }).fill('A day pass costs twelve euros.');
    await page.getByRole('button', { name: 'Auto-layout' }).click();
    await page.getByRole('button', { name: 'Fit View' }).click();
    await drawEdge(page, 'start', 'out', 'question');
    await drawEdge(page, 'question', 'option:yes', 'handoff');
    await drawEdge(page, 'question', 'option:no', 'end');
    await page.getByRole('button', { name: 'Auto-layout' }).click();
  }
});
