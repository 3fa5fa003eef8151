import assert from 'node:assert/strict';
import { itInSoak } from '../support/it-in-soak.ts';
import { takePicture } from '../support/pictures.ts';
import { waitUntilSaid } from '../support/widget-page.ts';
import { DAY_PASS, useWidgetScene } from '../support/widget-scene.ts';
import { buildActiveBot } from '../support/widget.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';

const QUESTION = 'What does a day pass cost?';
const LONG_ANSWER = `${DAY_PASS} ${'A night pass costs seven euros. '.repeat(8)}`.trim();
const NEVER = new Promise<void>(() => {});

describe('the stop button of the widget', () => {
  const scene = useWidgetScene();

  it('stops the answer, keeps its text with a mark, and lets the visitor ask again or write at once', async () => {
    scene.answer = { text: LONG_ANSWER, pause: { after: 8, until: NEVER } };
    const { bot } = await buildActiveBot(scene.parley, { welcome_message: 'Hello!' });
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say(QUESTION);
    const stop = visit.button('Stop');
    await stop.waitFor();
    await visit.waitForText('12 euros');
    await takePicture(visit.page, 'widget-stop');
    const input = visit.panel.getByLabel('Your message');
    await input.fill('And at night?');
    await waitUntilEqual(() => stop.count(), 0);
    await input.fill('');
    await stop.click();
    await visit.panel.getByText('Stopped', { exact: true }).waitFor();
    await visit.button('Send').waitFor();
    assert.equal(
      await visit.page.evaluate<string | undefined>(
        "document.querySelector('parley-widget').shadowRoot.activeElement?.localName",
      ),
      'textarea',
    );
    await waitUntil(() => scene.model.countAbandoned() === 1, 'the model’s stream to end');
    await takePicture(visit.page, 'widget-stopped');

    await visit.page.reload();
    await visit.panel.getByText('Stopped', { exact: true }).waitFor();
    scene.answer = 'Seven euros.';
    await visit.button('Ask again').click();
    await visit.waitForText('Seven euros.');
    await waitUntilEqual(() => visit.button('Ask again').count(), 0);
    assert.deepEqual(visit.errors, []);
  });

  it('stops before the first text by Escape in the field, which does not close the chat, on a phone in German', async () => {
    scene.answer = { text: LONG_ANSWER, after: NEVER };
    const { bot } = await buildActiveBot(scene.parley);
    const viewport = { width: 390, height: 844 };
    const visit = await scene.visits.visit(bot, { viewport, locale: 'de-DE' });
    await visit.launcher.click();
    await visit.say(QUESTION);
    await visit.button('Stoppen').waitFor();
    const input = visit.panel.locator('textarea');
    await input.press('Escape');
    await visit.panel.getByText('Gestoppt', { exact: true }).waitFor();
    assert.equal(await visit.panel.isVisible(), true);
    await takePicture(visit.page, 'widget-stopped-mobile');
    scene.answer = 'Sieben Euro.';
    await visit.say('Und nachts?');
    await visit.waitForText('Sieben Euro.');
    await input.press('Escape');
    await waitUntilEqual(() => visit.panel.isVisible(), false);
    assert.deepEqual(visit.errors, []);
  });

  itInSoak('shows messages as plain text while the script that formats them cannot be loaded', async () => {
    const { bot } = await buildActiveBot(scene.parley, { welcome_message: 'Hello **you**' });
    const context = await scene.visits.createContext();
    await context.route('**/widget/markdown-*', (route) => route.abort());
    const visit = await scene.visits.visit(bot, { context });
    await visit.open();
    await visit.waitForText('Hello **you**');
    await visit.say(QUESTION);
    await waitUntilSaid(visit, [`user: ${QUESTION}`, `assistant: ${DAY_PASS}`]);
  });
});
