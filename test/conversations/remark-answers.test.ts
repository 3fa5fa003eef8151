import assert from 'node:assert/strict';
import { answerTexts } from '../../core/conversations/answer-texts.ts';
import { weekdays } from '../../core/conversations/handoff-config.ts';
import { buildPassage } from '../support/knowledge.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';
import { ASKING, buildFlowBot, OPTIONS } from '../flows/flow-visits.ts';
import { buildGraph, buildNode } from '../flows/graphs.ts';

const english = answerTexts('en');

describe('a visitor’s message that asks for a person', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  async function say(content: string, overrides: object = {}) {
    const session = await buildSession(parley, overrides);
    const { visitor, path, orgId } = session;
    const { status, body } = await visitor.post(`${path}/messages`, { content });
    assert.equal(status, 201);
    const [message] = await parley.database.sql<{ is_unanswered: boolean }>(
      'SELECT is_unanswered FROM messages WHERE id = $1',
      [body.id],
    );
    const requests = await parley.database.sql<{ payload: object }>(
      "SELECT payload FROM outbox WHERE org_id = $1 AND name = 'handoff.requested'",
      [orgId],
    );
    return {
      ...session,
      reply: body.content,
      isUnanswered: message!.is_unanswered,
      sessionStatus: (await visitor.get(path)).body.status,
      requests: requests.map(({ payload }) => payload),
    };
  }

  for (const [language, content] of [
    ['en', 'I want to talk to a person'],
    ['de', 'Ich möchte mit einem Menschen sprechen'],
    ['es', 'Quiero hablar con una persona'],
    ['fr', 'Je voudrais parler à quelqu’un'],
    ['it', 'Vorrei parlare con un operatore'],
    ['nl', 'Ik wil met een medewerker spreken'],
    ['pt', 'Quero falar com um atendente'],
  ] as const)
    it(`requests a handoff and gets a confirmation in the visitor’s language: ${language}`, async () => {
      const { reply, sessionStatus, requests, isUnanswered, session, bot } = await say(content, {
        handoff_enabled: true,
        strict_kb_mode: true,
      });
      assert.equal(reply, answerTexts(language).handoff);
      assert.equal(sessionStatus, 'waiting_human');
      assert.equal(isUnanswered, false);
      assert.deepEqual(requests, [
        { conversation_id: session.session_id, bot_id: bot.id, reason: content, requested_by: 'visitor' },
      ]);
    });

  it('has an answer that is stored before the system message that a person was requested', async () => {
    const { visitor, path } = await say('agent please', { handoff_enabled: true });
    const { body } = await visitor.get(`${path}/messages`);
    assert.deepEqual(
      body.map(({ role, content }) => `${role}: ${content}`),
      ['user: agent please', `assistant: ${english.handoff}`, "system: We've notified the team."],
    );
  });

  it('gets the links of the bot’s directory if the bot never hands over', async () => {
    const { reply, sessionStatus, requests, isUnanswered } = await say('Can I speak to someone?', {
      strict_kb_mode: true,
      directory_config: {
        enabled: true,
        entries: [
          { name: 'Call us', link: 'tel:+4930123456' },
          { name: 'Workshop [Mitte]', link: 'https://bikes.example/contact' },
          { name: 'Opening hours' },
        ],
      },
    });
    assert.equal(
      reply,
      `${english.noPerson} ${english.reachTeam}\n\n- [Call us](<tel:+4930123456>)\n- [Workshop \\[Mitte\\]](<https://bikes.example/contact>)`,
    );
    assert.deepEqual([sessionStatus, requests, isUnanswered], ['active', [], false]);
  });

  it('gets contact details from the documents if there are no links', async () => {
    const session = await buildSession(parley, { strict_kb_mode: true });
    const { visitor, path, bot, orgId } = session;
    const passage = 'Contact us by phone at 030 123456 or by email at desk@bikes.example.';
    await buildPassage(parley.database, { orgId, botId: bot.id }, passage);
    const { body } = await visitor.post(`${path}/messages`, { content: 'human please' });
    assert.equal(body.content, `${english.noPerson}\n\n${passage} [1]`);
    assert.deepEqual(
      body.citations?.map(({ title }) => title),
      ['Guide'],
    );
  });

  it('gets the advice to look on the website if nothing else is known', async () => {
    const { reply, isUnanswered } = await say('agent', { strict_kb_mode: true });
    assert.equal(reply, `${english.noPerson} ${english.contactDetails}`);
    assert.equal(isUnanswered, false);
  });

  it('is "yes" after the bot has offered a person', async () => {
    const { visitor, path } = await buildSession(parley, { handoff_enabled: true, strict_kb_mode: true });
    const offer = await visitor.post(`${path}/messages`, { content: 'Je suis très mécontent' });
    assert.equal(
      offer.body.content,
      `${answerTexts('fr').smallTalk.wants_to_complain} ${answerTexts('fr').offerPerson}`,
    );
    const { body } = await visitor.post(`${path}/messages`, { content: 'oui, merci' });
    assert.equal(body.content, answerTexts('fr').handoff);
    assert.equal((await visitor.get(path)).body.status, 'waiting_human');
  });

  it('is a complaint to a bot that never hands over, which says how to reach the team', async () => {
    const { reply, sessionStatus } = await say('I want to make a complaint', { strict_kb_mode: true });
    assert.equal(reply, `${english.smallTalk.wants_to_complain} ${english.contactDetails}`);
    assert.equal(sessionStatus, 'active');
  });

  it('outside the opening hours, gets the text that the owner has written for that case', async () => {
    const { reply, sessionStatus } = await say('talk to a human', {
      handoff_enabled: true,
      handoff_config: {
        accepts_when_closed: false,
        closed_message: 'We are back on Monday.',
        hours: {
          timezone: 'UTC',
          periods: [{ days: [weekdays[(new Date().getUTCDay() + 2) % 7]], opens: '09:00', closes: '10:00' }],
        },
      },
    });
    assert.equal(reply, `We are back on Monday. ${english.contactDetails}`);
    assert.equal(sessionStatus, 'active');
  });

  it('ends a flow that waits for a choice if no option offers a person', async () => {
    const flows = [{ graph: ASKING, trigger: 'first_message' }];
    const { visit } = await buildFlowBot(parley, flows, { handoff_enabled: true });
    const { say, visitor, path, findFlowSession } = await visit();
    await say('Good morning');
    assert.equal((await say('I want to talk to a person')).content, english.handoff);
    assert.equal((await visitor.get(path)).body.status, 'waiting_human');
    assert.equal((await findFlowSession())!.status, 'closed');
  });

  it('selects the option of a flow that offers a person', async () => {
    const options = [...OPTIONS, { id: 'person', label: 'Talk to a person' }];
    const graph = buildGraph(
      [
        buildNode('question', { text: 'What is it about?', input: 'choice', options }, 'ask'),
        buildNode('end', { message: 'The flow answers.' }, 'done'),
      ],
      'ask done',
      'ask option:person done',
    );
    const { visit } = await buildFlowBot(parley, [{ graph, trigger: 'first_message' }], {
      handoff_enabled: true,
    });
    const { say } = await visit();
    await say('Good morning');
    assert.equal((await say('Talk to a person')).content, 'The flow answers.');
  });

  it('causes one handoff if another such message arrives simultaneously', async () => {
    const { visitor, path, orgId } = await buildSession(parley, { handoff_enabled: true });
    await Promise.all([1, 2].map(() => visitor.post(`${path}/messages`, { content: 'agent please' })));
    const requests = await parley.database.sql(
      "SELECT id FROM outbox WHERE org_id = $1 AND name = 'handoff.requested'",
      [orgId],
    );
    assert.equal(requests.length, 1);
  });
});

describe('a visitor’s small talk', () => {
  let model: ModelServer;
  let parley: TestParley;
  before(async () => {
    model = await startModelServer({ answer: () => 'Ahoy! Ask me about boats.' });
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' });
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  async function say(content: string, overrides: object = {}) {
    const { visitor, path, bot, orgId } = await buildSession(parley, overrides);
    await buildPassage(parley.database, { orgId, botId: bot.id }, 'A day pass costs 12 euros.');
    const { body } = await visitor.post(`${path}/messages`, { content });
    const [message] = await parley.database.sql<{ is_unanswered: boolean }>(
      'SELECT is_unanswered FROM messages WHERE id = $1',
      [body.id],
    );
    return { reply: body.content, isUnanswered: message!.is_unanswered };
  }

  for (const [content, reply] of [
    ['Hello!', english.smallTalk.greeting],
    ['thanks', english.smallTalk.thanks],
    ['thnaks', english.smallTalk.thanks],
    ['bye', english.smallTalk.goodbye],
    ['are you a bot?', english.smallTalk.asks_if_bot],
    ['who made you?', english.smallTalk.asks_maker],
    ['???', english.smallTalk.unclear],
    ['Guten Tag', answerTexts('de').smallTalk.greeting],
    ['Merci beaucoup', answerTexts('fr').smallTalk.thanks],
  ] as const)
    it(`gets a fitting sentence from a strict bot, without a model: ${content}`, async () => {
      const requestCount = model.requests.length;
      assert.deepEqual(await say(content, { strict_kb_mode: true }), { reply, isUnanswered: false });
      assert.equal(model.requests.length, requestCount);
    });

  it('is "no" to the question whether there is anything else, which says goodbye', async () => {
    const { visitor, path } = await buildSession(parley, { strict_kb_mode: true });
    await visitor.post(`${path}/messages`, { content: 'ok' });
    const { body } = await visitor.post(`${path}/messages`, { content: 'no' });
    assert.equal(body.content, english.smallTalk.goodbye);
  });

  it('gets the sentence in the bot’s configured language', async () => {
    const { reply } = await say('Hello!', { strict_kb_mode: true, language: 'de' });
    assert.equal(reply, answerTexts('de').smallTalk.greeting);
  });

  it('gets the offer of a person if it asks whether the bot is a person, and the bot can hand over', async () => {
    const { reply } = await say('are you human?', { strict_kb_mode: true, handoff_enabled: true });
    assert.equal(reply, `${english.smallTalk.asks_if_bot} ${english.offerPerson}`);
  });

  it('is answered by the model if the bot may answer without documents, and never counts as unanswered', async () => {
    assert.deepEqual(await say('Hello!'), { reply: 'Ahoy! Ask me about boats.', isUnanswered: false });
    assert.doesNotMatch(JSON.stringify(model.requests.at(-1)!.body.messages), /day pass/);
  });

  it('is sent to the model as a question if a document contains the misspelled word', async () => {
    const { visitor, path, bot, orgId } = await buildSession(parley, { strict_kb_mode: true });
    await buildPassage(parley.database, { orgId, botId: bot.id }, 'Tanks hold 40 liters of water.');
    await visitor.post(`${path}/messages`, { content: 'tanks' });
    assert.match(JSON.stringify(model.requests.at(-1)!.body.messages), /Tanks hold 40 liters/);
  });
});
