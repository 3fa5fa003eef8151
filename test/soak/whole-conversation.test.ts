import assert from 'node:assert/strict';
import { useConsoles } from '../console/support.ts';
import { Recording } from '../support/pictures.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker } from '../support/worker.ts';
import { buildActiveBot } from '../support/widget.ts';
import { waitUntilSaid } from '../support/widget-page.ts';
import { useWidgetScene } from '../support/widget-scene.ts';

const FRAME_MS = 2500;

describe('a whole conversation', function () {
  const consoles = useConsoles(this);
  const scene = useWidgetScene(startParleyWithWorker);

  it('begins with a question and its cited answer, continues with a person in the console, and ends with a rating', async () => {
    const { bot, client, key } = await buildActiveBot(scene.parley, {
      name: 'Harbour Bikes',
      welcome_message: 'Ahoy! Ask me about our bicycles.',
      handoff_enabled: true,
    });
    const { body: handbook } = await client.post(`/api/bots/${bot.id}/knowledge`, {
      source_type: 'raw_text',
      title: 'Price list',
      raw_text: 'A day pass costs 12 euros. It is valid in every harbour of the city.',
    });
    await waitUntil(async () => {
      const { body } = await client.get(`/api/bots/${bot.id}/knowledge/${handbook.id}/status`);
      return body.status === 'indexed';
    }, 'the price list to be indexed');
    scene.answer = 'A day pass costs **12 euros** [1].';

    const visit = await scene.visits.visit(bot, { viewport: { width: 520, height: 720 } });
    const agent = await consoles().openWithKey(scene.parley, key, '/inbox', {
      viewport: { width: 1000, height: 720 },
    });
    const recording = new Recording(visit.page, agent);
    await visit.open();
    await recording.addFrame();

    await visit.say('What does a day pass cost?');
    await visit.panel.locator('.sources').getByText('Price list').waitFor();
    await recording.addFrame();

    await visit.button('Talk to a human').click();
    await visit.waitForText('Connecting you to the team… You can keep typing.');
    await agent.locator('.inbox-row').click();
    await agent.getByRole('button', { name: 'Assign to me' }).waitFor();
    await recording.addFrame();

    await agent.getByRole('button', { name: 'Assign to me' }).click();
    await visit.waitForText('Ada joined the chat');
    await agent.getByRole('textbox', { name: 'Reply' }).fill('Students pay half of that.');
    await recording.addFrame();
    await agent.getByRole('button', { name: 'Send' }).click();
    await waitUntilSaid(visit, [
      'user: What does a day pass cost?',
      'assistant: A day pass costs 12 euros 1.',
      'agent: Students pay half of that.',
    ]);
    await agent.getByRole('log').getByText('Students pay half of that.').waitFor();
    await recording.addFrame();

    await visit.say('Wonderful, thank you!');
    await agent.getByRole('log').getByText('Wonderful, thank you!').waitFor();
    await agent.getByRole('button', { name: 'Resolve' }).click();
    await agent.getByText('Conversation resolved').waitFor();
    await visit.button('5 of 5').click();
    await visit.waitForText('Thanks for your feedback!');
    await recording.addFrame();

    const { body } = await client.get('/api/conversations');
    const { rating, resolved, status, message_count } = body.items[0]!;
    assert.deepEqual(
      { rating, resolved, status, message_count },
      { rating: 5, resolved: true, status: 'active', message_count: 4 },
    );
    await recording.save('conversation', FRAME_MS);
  });
});
