import assert from 'node:assert/strict';
import { AnswerRating } from '../../entities/conversations/answer-rating.entity.ts';
import { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type ApiClient, type TestParley, type TestProcess } from '../support/parley.ts';
import { buildSession, startSession } from '../support/widget.ts';

const QUESTION = 'What does a day pass cost?';

describe('ratings of answers:', () => {
  let parley: TestParley;
  /** An API process whose operator encrypts the content of all workspaces. */
  let sealing: TestProcess;
  before(async () => {
    parley = await startParley();
    sealing = await parley.startAnother({ sealContent: true });
  });
  after(() => parley.stop());

  /** Starts a session, and lets the bot answer a question. */
  async function buildAnswer(visit: Awaited<ReturnType<typeof buildSession>>) {
    const { visitor, path, session } = visit;
    const { body: answer } = await visitor.post(`${path}/messages`, { content: QUESTION });
    const ratePath = (id = answer.id) =>
      `/api/ext/public/sessions/${session.session_id}/messages/${id}/rating` as const;
    return { ...visit, answer, ratePath };
  }

  const buildRated = async () => buildAnswer(await buildSession(parley));
  const list = async (client: ApiClient, query = '') =>
    (await client.get(`/api/ext/answer-ratings${query}`)).body.items;

  it('rateWidgetMessage stores a rating, which later ratings replace and null removes', async () => {
    const { visitor, client, path, answer, ratePath, session, bot } = await buildRated();
    const readOwn = async () =>
      (await visitor.get(`${path}/messages`)).body.map(({ rating }) => rating ?? null);
    assert.deepEqual(await readOwn(), [null, null]);
    const down = { rating: 'down', reason: 'incorrect', comment: '  It is £9. ' };
    assert.equal((await visitor.put(ratePath(), down)).status, 200);
    assert.deepEqual(await readOwn(), [null, 'down']);
    const [rating] = await list(client);
    const { id, created_at, updated_at, ...rest } = rating!;
    assert.deepEqual(rest, {
      bot_id: bot.id,
      conversation_id: session.session_id,
      message_id: answer.id,
      question: QUESTION,
      rating: 'down',
      reason: 'incorrect',
      comment: 'It is £9.',
    });
    assert.equal(typeof updated_at, 'string');

    await visitor.put(ratePath(), { ...down, rating: 'up' });
    const [changed] = await list(client);
    assert.deepEqual(
      [changed?.id, changed?.created_at, changed?.rating, changed?.reason, changed?.comment],
      [id, created_at, 'up', null, null],
    );
    await visitor.put(ratePath(), { rating: null });
    assert.deepEqual(await list(client), []);
    assert.deepEqual(await readOwn(), [null, null]);
  });

  it('rateWidgetMessage stores one rating if concurrent requests rate the same answer', async () => {
    const { visitor, client, ratePath } = await buildRated();
    const thumbs = ['up', 'down', 'up', 'down', 'up'] as const;
    const responses = await Promise.all(thumbs.map((rating) => visitor.put(ratePath(), { rating })));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200, 200, 200],
    );
    assert.equal((await list(client)).length, 1);
  });

  it('rateWidgetMessage refuses questions, answers of other sessions, and comments above 1000 characters', async () => {
    const mine = await buildRated();
    const other = await buildAnswer(await startSession(parley, mine));
    const { visitor, path, ratePath } = mine;
    const [question] = (await visitor.get(`${path}/messages`)).body;
    const rate = async (id: string | undefined, body: object = { rating: 'up' }) =>
      formatOutcome(await visitor.put(ratePath(id), body));
    assert.equal(await rate(question!.id), '409 conflict');
    assert.equal(await rate(other.answer.id), '404 not_found');
    assert.equal(await rate((await buildRated()).answer.id), '403 forbidden');
    assert.equal(formatOutcome(await visitor.put(other.ratePath(), { rating: 'up' })), '403 forbidden');
    const comment = 'x'.repeat(1001);
    assert.equal(await rate(mine.answer.id, { rating: 'down', comment }), '422 validation_error');
    assert.equal(await rate(mine.answer.id, { rating: 'down', comment: comment.slice(1) }), '200');
  });

  it('listAnswerRatings filters by bot, conversation and rating', async () => {
    const { visitor, client, ratePath, bot, session } = await buildRated();
    await visitor.put(ratePath(), { rating: 'up' });
    const { body: other } = await client.post('/api/bots', { name: 'Guide' });
    const counts = await Promise.all(
      [
        `?bot_id=${bot.id}`,
        `?bot_id=${other.id}`,
        `?conversation_id=${session.session_id}`,
        '?rating=up',
        '?rating=down',
      ].map(async (query) => (await list(client, query)).length),
    );
    assert.deepEqual(counts, [1, 0, 1, 1, 0]);
  });

  it('getAnswerRatingSummary counts thumbs and reasons in the range', async () => {
    const first = await buildRated();
    const { client, bot } = first;
    const summarize = async (query = '') =>
      (await client.get(`/api/ext/analytics/answer-ratings${query}`)).body;
    assert.equal((await summarize()).helpful_rate, null);
    await first.visitor.put(first.ratePath(), { rating: 'up' });
    const second = await buildAnswer(await startSession(parley, first));
    await second.visitor.put(second.ratePath(), { rating: 'down', reason: 'unclear' });
    const { up, down, helpful_rate: rate, reasons } = await summarize(`?bot_id=${bot.id}`);
    assert.deepEqual([up, down, rate], [1, 1, 0.5]);
    assert.deepEqual(
      reasons.filter(({ count }) => count > 0),
      [{ reason: 'unclear', count: 1 }],
    );
    const past = await summarize('?from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z');
    assert.deepEqual([past.up, past.down], [0, 0]);
  });

  it('deleteConversation deletes the ratings of its answers', async () => {
    const { visitor, client, ratePath, session } = await buildRated();
    await visitor.put(ratePath(), { rating: 'up' });
    assert.equal((await client.delete(`/api/conversations/${session.session_id}`)).status, 200);
    assert.deepEqual(await list(client), []);
  });

  it('ratings are encrypted when stored or by a later reseal, and listAnswerRatings returns their comments in plain text', async () => {
    const before = await buildRated();
    const within = await buildRated();
    const comment = 'The price is from last year.';
    await before.visitor.put(before.ratePath(), { rating: 'down', comment });
    const sealed = sealing.client(within.session.visitor_token);
    await sealed.put(within.ratePath(), { rating: 'down', comment: 'Another price.' });
    await sealed.put(within.ratePath(), { rating: 'down', comment });

    const { contentKeys, resealing } = sealing.runtime.services.encryption;
    await contentKeys.getCurrentKey(before.orgId);
    await parley.database.repository(OrgEncryption).update(before.orgId, { isSealing: true });
    await resealing.runSteps({ orgId: before.orgId, db: parley.database }, () => false);
    for (const { key, orgId } of [before, within]) {
      const row = await parley.database.repository(AnswerRating).findOneByOrFail({ orgId });
      assert.ok(row.keyId !== null && !JSON.stringify(row).includes('price'), JSON.stringify(row));
      const [read] = await list(sealing.client(key));
      assert.equal(read?.comment, comment);
    }
  });
});
