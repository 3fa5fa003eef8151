import assert from 'node:assert/strict';
import { buildBot } from '../support/build-bot.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';

const QUESTION = { question: 'What does a day pass cost?', source: 'Prices', words: ['£9'] };

describe('test sets:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  async function buildSet(questions: object[] = [QUESTION]) {
    const built = await buildBot(parley);
    const sets = `/api/ext/bots/${built.bot.id}/test-sets` as const;
    const { status, body: set } = await built.client.post(sets, { name: 'Prices', questions });
    assert.equal(status, 201, JSON.stringify(set));
    return { ...built, sets, set, path: `${sets}/${set.id}` as const };
  }

  it('createTestSet stores questions in order, with defaults and ids', async () => {
    const { client, path, set } = await buildSet([QUESTION, { question: 'Do you sell hats?' }]);
    const { body } = await client.get(path);
    assert.deepEqual(body, set);
    assert.deepEqual(
      body.questions.map(({ id, ...question }) => ({ ...question, hasId: id !== '' })),
      [
        { ...QUESTION, expects: 'answer', hasId: true },
        { question: 'Do you sell hats?', expects: 'answer', source: null, words: [], hasId: true },
      ],
    );
  });

  it('listTestSets returns sets without questions, newest first', async () => {
    const { client, sets, set } = await buildSet();
    const { body: newer } = await client.post(sets, { name: 'Refunds' });
    const { body } = await client.get(sets);
    assert.deepEqual(
      body.items.map(({ id, question_count: count, last_run: lastRun }) => [id, count, lastRun]),
      [
        [newer.id, 0, null],
        [set.id, 1, null],
      ],
    );
  });

  it('updateTestSet replaces questions, and keeps those that are sent with an id', async () => {
    const { client, path, set } = await buildSet();
    const [kept] = set.questions;
    const { body } = await client.patch(path, { questions: [{ question: 'New?' }, kept] });
    assert.deepEqual(body.questions[1], kept);
    assert.equal(body.questions.length, 2);
    const twice = await client.patch(path, { questions: [kept, kept] });
    assert.equal(formatOutcome(twice), '422 validation_error');
    assert.equal(twice.problem.details[0]?.field, 'questions[1].id');
  });

  for (const [title, csv] of [
    [
      'commas',
      'question,expects,source,words\n"Refund, how?",answer,Refunds,"14 days; receipt"\nHats?,refusal,,\n',
    ],
    [
      'semicolons and other line ends',
      'question;expects;source;words\r\n"Refund, how?";answer;Refunds;"14 days|receipt"\r\nHats?;REFUSAL;;',
    ],
    [
      'a byte order mark and columns in another order',
      '\uFEFFWords\tQuestion\tExpects\tSource\n14 days;receipt\tRefund, how?\t\tRefunds\n\tHats?\trefusal\t\n',
    ],
  ] as const)
    it(`addTestQuestions reads CSV with ${title}`, async () => {
      const { client, path } = await buildSet([]);
      const { status, body } = await client.post(`${path}/questions`, { csv });
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(
        body.questions.map(({ id: _id, ...question }) => question),
        [
          { question: 'Refund, how?', expects: 'answer', source: 'Refunds', words: ['14 days', 'receipt'] },
          { question: 'Hats?', expects: 'refusal', source: null, words: [] },
        ],
      );
    });

  for (const [title, body, expected] of [
    [
      'a new expectation',
      { csv: 'question,expects,source,words\n"Hats?",refusal,,\n' },
      ['refusal', null, []],
    ],
    ['new words alone', { csv: 'question,words\nHats?,felt;straw\n' }, ['answer', 'Shop', ['felt', 'straw']]],
    ['no expectation', { questions: [{ question: 'Hats?' }] }, ['answer', 'Shop', ['wool']]],
  ] as const)
    it(`addTestQuestions updates a question that the set already has, given ${title}, and keeps its id`, async () => {
      const known = { question: 'Hats?', source: 'Shop', words: ['wool'] };
      const { client, path, set } = await buildSet([QUESTION, known]);
      const { questions } = (await client.post(`${path}/questions`, body)).body;
      const [expects, source, words] = expected;
      assert.deepEqual(questions, [
        set.questions[0],
        { ...known, id: set.questions[1]!.id, expects, source, words },
      ]);
    });

  for (const [title, csv, message] of [
    ['without column names', 'What does it cost?\n', 'must begin with a line of column names'],
    ['without questions', 'question,expects\n', 'must have a question below the column names'],
    ['with an open quotation mark', 'question,expects\n"Hats?,answer\n', 'line 2: a quotation mark opens'],
    ['with an unknown expectation', 'question,expects\nHats?,maybe\n', 'row 2: expects must be one of'],
    ['with an empty question', 'question,expects\nHats?,answer\n,refusal\n', 'row 3: question must have'],
  ] as const)
    it(`addTestQuestions refuses CSV ${title}, and changes nothing`, async () => {
      const { client, path } = await buildSet();
      const refused = await client.post(`${path}/questions`, { csv });
      assert.equal(formatOutcome(refused), '422 validation_error');
      assert.ok(refused.problem.error.message.includes(message), refused.problem.error.message);
      assert.equal((await client.get(path)).body.questions.length, 1);
    });

  it('addTestQuestions adds a repeated question once, with the values of its last line', async () => {
    const { client, path } = await buildSet([]);
    const csv = 'question,expects\nHats?,answer\nShoes?,answer\nHats?,refusal\n';
    for (let count = 0; count < 2; count += 1) {
      const { body } = await client.post(`${path}/questions`, { csv });
      assert.deepEqual(
        body.questions.map(({ question, expects }) => [question, expects]),
        [
          ['Hats?', 'refusal'],
          ['Shoes?', 'answer'],
        ],
      );
    }
  });

  it('createTestSet refuses required words that are only white space, which every answer contains', async () => {
    const { client, sets } = await buildSet();
    const blank = await client.post(sets, { name: 'Hats', questions: [{ question: 'Hats?', words: [' '] }] });
    assert.equal(formatOutcome(blank), '422 validation_error');
  });

  it('addTestQuestions refuses to fill a set with more than 200 questions', async () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ question: `Question ${index}?` }));
    const { client, path } = await buildSet(many);
    const refused = await client.post(`${path}/questions`, { questions: [QUESTION] });
    assert.equal(formatOutcome(refused), '409 conflict');
    assert.match(refused.problem.error.message, /at most 200 questions; this one would have 201\.$/);
  });

  it('createTestSet, updateTestSet and addTestQuestions refuse more than 200,000 characters', async () => {
    const { client, sets, path, set } = await buildSet([]);
    const buildQuestions = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        question: `${first + index}`.padEnd(1000, 'q'),
        source: 's'.repeat(400),
        words: ['w'.repeat(100), 'v'.repeat(100)],
      }));
    const tooMany = buildQuestions(0, 126);
    for (const refused of [
      await client.post(sets, { name: 'Long', questions: tooMany }),
      await client.patch(path, { questions: tooMany }),
    ]) {
      assert.equal(formatOutcome(refused), '422 validation_error');
      assert.deepEqual(
        refused.problem.details.map(({ field, message }) => `${field} ${message}`),
        [
          'questions must have at most 200000 characters in questions, sources and words together, not 201600',
        ],
      );
    }
    const full = await client.patch(path, { questions: buildQuestions(0, 125) });
    assert.equal(full.body.questions.length, 125);
    const refused = await client.post(`${path}/questions`, { questions: [{ question: 'One more?' }] });
    assert.equal(formatOutcome(refused), '409 conflict');
    assert.match(
      refused.problem.error.message,
      /at most 200000 characters together; .* would have 200009\.$/,
    );
    assert.equal((await client.get(path)).body.questions.length, 125);
    assert.equal(set.questions.length, 0);
  });

  it('createTestSet refuses a bot’s 21st set', async () => {
    const { client, sets } = await buildSet();
    for (let count = 1; count < 20; count += 1) await client.post(sets, { name: `Set ${count}` });
    assert.equal(formatOutcome(await client.post(sets, { name: 'One more' })), '409 conflict');
  });

  it('startTestRun accepts five of eight simultaneous runs for different bots of a workspace', async () => {
    const { client, path } = await buildSet();
    const paths = [path];
    for (let count = 1; count < 8; count += 1) {
      const { body: bot } = await client.post('/api/bots', { name: `Bot ${count}` });
      const sets = `/api/ext/bots/${bot.id}/test-sets` as const;
      const { body: set } = await client.post(sets, { name: 'Prices', questions: [QUESTION] });
      paths.push(`${sets}/${set.id}`);
    }
    const started = await Promise.all(paths.map((each) => client.post(`${each}/runs`, {})));
    const counts = [202, 409].map((expected) => started.filter(({ status }) => status === expected).length);
    assert.deepEqual(counts, [5, 3]);
  });

  it('getTestSet finds a set only under the path of its own bot', async () => {
    const { client, set } = await buildSet();
    const { body: other } = await client.post('/api/bots', { name: 'Other' });
    const path = `/api/ext/bots/${other.id}/test-sets/${set.id}` as const;
    assert.equal(formatOutcome(await client.get(path)), '404 not_found');
    assert.equal(formatOutcome(await client.delete(path)), '404 not_found');
  });

  it('deleteTestSet removes the set', async () => {
    const { client, path } = await buildSet();
    assert.equal((await client.delete(path)).status, 200);
    assert.equal(formatOutcome(await client.get(path)), '404 not_found');
  });
});
