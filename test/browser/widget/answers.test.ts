import assert from 'node:assert/strict';
import { takePicture } from '../../support/pictures.ts';
import { untilSaid } from '../../support/widget-page.ts';
import { DAY_PASS, widgetScene } from '../../support/widget-scene.ts';
import { buildActiveBot } from '../../support/widget.ts';

const QUESTION = 'What does a day pass cost?';
const ANSWER = 'A day pass costs 12 euros.';

describe('the widget: questions and answers', () => {
  const scene = widgetScene();

  it('shows the launcher alone until it is opened, then welcome, questions and answers', async () => {
    const { bot } = await buildActiveBot(scene.parley, {
      name: 'Harbour Bikes',
      welcome_message: 'Hello! Ask me about **bikes**.',
      starter_questions: [QUESTION, 'When are you open?'],
    });
    const visit = await scene.visits.visit(bot);
    await visit.launcher.waitFor();
    assert.equal(await visit.panel.isVisible(), false);
    assert.equal(await visit.page.locator('body > *:not(h1, p, script)').count(), 0);
    await visit.open();
    await visit.sees('Hello! Ask me about');
    assert.deepEqual(await scene.parley.database.sql('SELECT id FROM conversations'), []);
    await visit.button(QUESTION).click();
    await untilSaid(visit, [`user: ${QUESTION}`, `assistant: ${ANSWER}`]);
    assert.equal(
      await visit.input.evaluate((field: any) => field === field.getRootNode().activeElement),
      true,
    );
    assert.equal(await visit.panel.locator('.items strong').textContent(), '12 euros');
    assert.equal(await visit.button(QUESTION).isVisible(), false);
    await visit.say('And a week?');
    const both = [`user: ${QUESTION}`, `assistant: ${ANSWER}`, 'user: And a week?', `assistant: ${ANSWER}`];
    await untilSaid(visit, both);
    await takePicture(visit.page, 'widget-light');
    assert.deepEqual(visit.complaints, []);
  });

  it('shows an answer while it is made', async () => {
    scene.answer = { text: 'One two three four five', tokenDelayMs: 300 };
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('Count');
    await visit.panel.getByRole('img', { name: 'Help desk is writing …' }).waitFor();
    await visit.sees(/^One two/);
    const [, partly] = await visit.said();
    assert.notEqual(partly, 'assistant: One two three four five');
    await untilSaid(visit, ['user: Count', 'assistant: One two three four five']);
    assert.equal(await visit.panel.locator('.typing').isVisible(), false);
  });

  it('keeps the lines of a question, and sends nothing that is empty', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('   ');
    await visit.input.fill('first');
    await visit.input.press('Shift+Enter');
    await visit.input.pressSequentially('second');
    await visit.button('Send').click();
    await untilSaid(visit, ['user: first\nsecond', `assistant: ${ANSWER}`]);
  });

  it('refuses a message of more than 20,000 characters kindly, and keeps it to be shortened', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('😀'.repeat(20_001));
    await visit.sees('This message is too long: 20001 of 20000 characters.');
    assert.equal((await visit.input.inputValue()).length, 40_002);
    assert.deepEqual(await visit.said(), []);
    await visit.say('😀'.repeat(20_000));
    await untilSaid(visit, [`user: ${'😀'.repeat(20_000)}`, `assistant: ${ANSWER}`], 40_000);
  });

  it('tells that the model has failed, and asks again when the visitor wishes', async () => {
    scene.answer = { raw: { status: 400, contentType: 'application/json', body: '{}' } };
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say(QUESTION);
    await visit.button('Ask again').waitFor();
    assert.equal(await visit.panel.locator('.message.error').count(), 1);
    scene.answer = DAY_PASS;
    await visit.button('Ask again').click();
    await visit.sees('A day pass costs');
    assert.equal(await visit.button('Ask again').count(), 0);
  });

  it('tells that the bot’s month is used up, and that too much was asked at once', async () => {
    const { bot } = await buildActiveBot(scene.parley, { monthly_message_cap: 0 });
    const capped = await scene.visits.visit(bot);
    await capped.open();
    await capped.say(QUESTION);
    await capped.sees('The assistant has reached its limit for this month. Please come back later.');

    const { bot: busy } = await buildActiveBot(scene.parley, { rate_limit_per_minute: 1 });
    const visit = await scene.visits.visit(busy);
    await visit.open();
    await visit.say('one');
    await visit.sees('A day pass costs');
    await visit.say('two');
    await visit.sees(/^That was a lot at once\. Please try again in \d+ seconds\.$/);
    assert.equal(await visit.button('Try again').isVisible(), true);
  });

  it('tells that the bot was switched off meanwhile', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('one');
    await visit.sees('A day pass costs');
    await client.patch(`/api/bots/${bot.id}`, { status: 'paused' });
    await visit.say('two');
    await visit.sees('The assistant is switched off at the moment. Please come back later.');
  });

  it('draws an answer of a megabyte without freezing the page', async () => {
    scene.answer = 'word **bold** [1] `x` '.repeat(45_000);
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('Everything, please');
    await visit.panel.locator('.message.other').first().waitFor({ timeout: 20_000 });
    const startedAt = Date.now();
    await visit.input.fill('still here');
    assert.ok(Date.now() - startedAt < 20_000);
  });
});
