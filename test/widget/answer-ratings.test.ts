import assert from 'node:assert/strict';
import { waitUntilSaid } from '../support/widget-page.ts';
import { DAY_PASS, useWidgetScene } from '../support/widget-scene.ts';
import { buildActiveBot } from '../support/widget.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { takePicture } from '../support/pictures.ts';

const QUESTION = 'What does a day pass cost?';
const SAID = [`user: ${QUESTION}`, 'assistant: A day pass costs 12 euros.'];

describe('thumbs below an answer in the widget', () => {
  const scene = useWidgetScene();

  it('rate the answer, show the rating after a reload, can be changed, and ask for a reason after a thumb down', async () => {
    scene.answer = DAY_PASS;
    const { bot, client } = await buildActiveBot(scene.parley, { welcome_message: 'Hello!' });
    const readRatings = async () =>
      (await client.get('/api/ext/answer-ratings')).body.items.map(({ rating, reason, comment }) => ({
        rating,
        reason,
        comment,
      }));
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say(QUESTION);
    await waitUntilSaid(visit, SAID);
    const [up, down] = [visit.button('This answer helped'), visit.button('This answer did not help')];
    const thumbs = visit.panel.locator('.thumbs');
    await waitUntilEqual(() => thumbs.count(), 2);
    const readOpacity = () =>
      thumbs
        .last()
        .evaluate((element) => element.ownerDocument.defaultView.getComputedStyle(element)['opacity']);
    await visit.panel.locator('.header').hover();
    assert.equal(await readOpacity(), '0');
    await up.focus();
    assert.equal(await readOpacity(), '1');
    await up.press('Enter');
    await waitUntilEqual(readRatings, [{ rating: 'up', reason: null, comment: null }]);

    await visit.page.reload();
    await waitUntilEqual(() => up.getAttribute('aria-pressed'), 'true');
    await down.click();
    await visit.waitForText('What is wrong with this answer?');
    await waitUntilEqual(() => up.getAttribute('aria-pressed'), 'false');
    await waitUntilEqual(readRatings, [{ rating: 'down', reason: null, comment: null }]);
    await visit.button('Incorrect').click();
    await visit.panel.getByPlaceholder('Tell us more (optional)').fill('It is £9.');
    await takePicture(visit.page, 'widget-thumbs');
    await visit.panel.locator('.reason').getByRole('button', { name: 'Send' }).click();
    await visit.waitForText('Thanks for your feedback!');
    await waitUntilEqual(readRatings, [{ rating: 'down', reason: 'incorrect', comment: 'It is £9.' }]);
    await waitUntilEqual(() => visit.panel.locator('.reason').count(), 0);

    await down.click();
    await waitUntilEqual(readRatings, []);
    assert.deepEqual(visit.errors, []);
  });

  it('are visible on touch screens, and return to the previous state with a notice if the API fails', async () => {
    scene.answer = DAY_PASS;
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      locale: 'de-DE',
    });
    await visit.launcher.tap();
    await visit.say(QUESTION);
    await waitUntilSaid(visit, SAID);
    const thumbs = visit.panel.locator('.thumbs:visible');
    assert.equal(
      await thumbs.evaluate(
        (element) => element.ownerDocument.defaultView.getComputedStyle(element)['opacity'],
      ),
      '1',
    );
    await visit.page.route('**/rating', (route) => route.abort());
    const down = visit.button('Diese Antwort hat nicht geholfen');
    await down.tap();
    await visit.waitForText('Etwas ist schiefgegangen.');
    await waitUntilEqual(() => down.getAttribute('aria-pressed'), 'false');
    await visit.page.unroute('**/rating');
    await down.tap();
    await visit.waitForText('Was stimmt an dieser Antwort nicht?');
  });
});
