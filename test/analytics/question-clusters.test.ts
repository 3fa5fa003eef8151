import assert from 'node:assert/strict';
import { QuestionCluster } from '../../entities/analytics/question-cluster.entity.ts';
import { QuestionMember } from '../../entities/analytics/question-member.entity.ts';
import { QuestionTerm } from '../../entities/analytics/question-term.entity.ts';
import { QueuedQuestion } from '../../entities/analytics/queued-question.entity.ts';
import { limitComparedPatterns } from '../../repositories/analytics/question.repository.ts';
import { groupItems } from '../../core/group-items.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';
import { labeledQuestions } from './labeled-questions.ts';
import { groupAll, buildQuestionScene } from './question-support.ts';

const LEADS = { enabled: true, fields: [{ key: 'name', label: 'Name' }] };

describe('question clusters', () => {
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley.stop());
  const build = (...args: Parameters<typeof buildQuestionScene> extends [unknown, ...infer R] ? R : never) =>
    buildQuestionScene(parley, ...args);

  /** Returns the questions of each cluster of similar questions, the largest cluster first. */
  async function listClusters(orgId: string): Promise<string[][]> {
    const members = await parley.database.sql<{ content: string; cluster_id: string }>(
      `SELECT m.content, q.cluster_id FROM question_members q JOIN messages m ON m.id = q.message_id
       WHERE q.org_id = $1 ORDER BY q.asked_at, q.message_id`,
      [orgId],
    );
    const clusters = new Map<string, string[]>();
    for (const { content, cluster_id: id } of members)
      clusters.set(id, [...(clusters.get(id) ?? []), content]);
    return [...clusters.values()].sort((a, b) => b.length - a.length);
  }

  it('compare at most 1,000 patterns for a word, and at most 100,000 in a batch', () => {
    const limits = [0, 1, 100, 400, 2000].map((keys) => limitComparedPatterns(keys));
    assert.deepEqual(limits, [1000, 1000, 1000, 250, 50]);
  });

  it('group 40 labeled questions by meaning with a purity of at least 0.9', async () => {
    const { orgId, ask } = await build();
    const labels = new Map(
      Object.entries(labeledQuestions).flatMap(([label, questions]) =>
        questions.map((question) => [question, label] as const),
      ),
    );
    assert.equal(labels.size, 40);
    for (const question of labels.keys()) await ask(question);
    await groupAll(parley);
    const clusters = await listClusters(orgId);
    assert.equal(clusters.flat().length, labels.size);
    const ofMostFrequent = (questions: string[]) =>
      Math.max(
        ...groupItems(questions, (question) => labels.get(question)!).map(([, found]) => found.length),
      );
    const purity = clusters.reduce((sum, found) => sum + ofMostFrequent(found), 0) / labels.size;
    assert.ok(purity >= 0.9, `${purity}: ${JSON.stringify(clusters, null, 1)}`);
    const groups = Object.keys(labeledQuestions).length;
    assert.ok(clusters.length <= groups + 2, `${clusters.length}: ${JSON.stringify(clusters, null, 1)}`);
  });

  itInSoak('separate questions about different places, in whatever order they are asked', async () => {
    const { orgId, ask } = await build();
    for (const question of [
      'What are the opening hours of your shop on Sundays?',
      'What are the opening hours of your shop in Berlin on Sundays?',
      'What are the opening hours of your shop in Paris on Sundays?',
      'opening hours shop sunday berlin',
      'opening hours shop sunday paris',
    ])
      await ask(question);
    await groupAll(parley);
    const clusters = await listClusters(orgId);
    assert.deepEqual(
      clusters.map((questions) => questions.length),
      [2, 2, 1],
    );
    for (const questions of clusters)
      assert.equal(
        new Set(questions.map((question) => /berlin|paris/i.exec(question)?.[0].toLowerCase())).size,
        1,
      );
  });

  it('omit small talk, answers to a flow’s prompts, and questions without content', async () => {
    const now = new Date();
    const { orgId, ask } = await build(now);
    for (const said of [
      'Hi',
      'Thank you very much!',
      'ok',
      'Danke schön',
      '12345',
      'ada@example.com',
      'What?',
      '👍',
    ])
      await ask(said);
    await ask('A refund for my bike', { optionId: 'refund' });
    await ask('Ada Lovelace', { askedFor: 'text' });
    await ask('Which helmets fit children?', { askedFor: 'text', isUnanswered: true });
    const { conversationId } = await ask('Do you repair tandems?', { at: new Date(now.getTime() - 1000) });
    await ask('and for two?', { conversationId });
    await groupAll(parley);
    assert.deepEqual((await listClusters(orgId)).flat(), [
      'Do you repair tandems?',
      'Which helmets fit children?',
    ]);
    assert.equal(await parley.database.repository(QueuedQuestion).count(), 0);
  });

  it('contain questions of one bot only, compared in the bot’s language', async () => {
    const { orgId, client, ask } = await build(new Date(), { language: 'de' });
    const { body: other } = await client.post('/api/bots', { name: 'Other' });
    await ask('Rechnung bezahlen');
    await ask('Rechnungen bezahlen');
    await ask('Rechnung bezahlen', { botId: other.id });
    await groupAll(parley);
    assert.deepEqual(await listClusters(orgId), [
      ['Rechnung bezahlen', 'Rechnungen bezahlen'],
      ['Rechnung bezahlen'],
    ]);
  });

  it('lose a deleted conversation or message at once, with exact counts', async () => {
    const { orgId, botId, client, ask, list } = await build();
    const first = await ask('Do you repair tandems?', { isUnanswered: true });
    const second = await ask('Do you repair a tandem?', { isUnanswered: true });
    await ask('Do you repair tandems, too?');
    const only = await ask('Where can Zaphod Beeblebrox park?');
    await groupAll(parley);
    const counts = async () => (await list()).map(({ asked, unanswered }) => [asked, unanswered]);
    assert.deepEqual(await counts(), [
      [3, 2],
      [1, 0],
    ]);
    const deleted = await client.post('/api/conversations/bulk', {
      ids: [first.conversationId, only.conversationId],
      action: 'delete',
    });
    assert.equal(deleted.status, 200);
    assert.deepEqual(await counts(), [[2, 1]]);
    const terms = await parley.database.repository(QuestionTerm).findBy({ botId });
    assert.deepEqual(terms, []);
    await groupAll(parley);
    assert.deepEqual(await counts(), [[2, 1]]);
    assert.equal(await parley.database.repository(QuestionCluster).countBy({ orgId }), 1);
    // Ask a similar question: it still joins the cluster, which a remaining question now represents.
    await ask('Do you repair tandems?');
    await groupAll(parley);
    assert.deepEqual(await counts(), [[3, 1]]);
    await parley.database.sql('DELETE FROM messages WHERE id = $1', [second.messageId]);
    assert.deepEqual(await counts(), [[2, 0]]);
    await parley.database.sql('DELETE FROM conversations WHERE org_id = $1', [orgId]);
    assert.deepEqual(await counts(), []);
    await groupAll(parley);
    for (const entity of [QuestionCluster, QuestionMember])
      assert.equal(await parley.database.repository(entity).countBy({ orgId }), 0);
  });

  it('lose the questions of an erased visitor at once, whichever words they contain', async () => {
    const { client, orgId, visitor, path } = await buildSession(parley, { lead_capture_config: LEADS });
    await visitor.post(`${path}/messages`, { content: 'Where can Zaphod Beeblebrox park a tandem?' });
    await visitor.post(`${path}/lead`, { fields: { name: 'Zaphod' } });
    await groupAll(parley);
    const list = async () => (await client.get('/api/analytics/questions')).body;
    assert.deepEqual(
      (await list()).map(({ question }) => question),
      ['Where can Zaphod Beeblebrox park a tandem?'],
    );
    const { body: contacts } = await client.get('/api/contacts');
    assert.equal((await client.post(`/api/contacts/${contacts.items[0]!.id}/erase`)).status, 202);
    assert.deepEqual(await list(), []);
    const left = await parley.database.sql(
      "SELECT FROM question_terms WHERE lexeme LIKE 'zaphod%' OR lexeme LIKE 'beeblebrox%'",
    );
    assert.deepEqual(left, []);
    assert.equal(await parley.database.repository(QuestionMember).countBy({ orgId }), 0);
  });

  itInSoak('are updated once by concurrent workers, and not lost by a worker that dies', async () => {
    const { ask, list } = await build();
    for (let n = 0; n < 30; n += 1)
      await ask(n % 3 ? 'Do you repair tandems?' : 'Which helmets fit children?');
    const { runtime, database } = parley;
    const { questionGrouping } = runtime.services.analytics;
    const dies = database.transaction(async (db) => {
      await questionGrouping.groupBatch(db, null, 7);
      throw new Error('killed');
    });
    await assert.rejects(dies, /killed/);
    assert.deepEqual(await list(), []);
    const work = async () => {
      let next: string | null = null;
      do ({ next } = await questionGrouping.groupBatch(database, next, 4));
      while (next !== null);
    };
    await Promise.all([work(), work(), work()]);
    assert.deepEqual(
      (await list('?sort=asked')).map(({ question, asked }) => [question, asked]),
      [
        ['Do you repair tandems?', 20],
        ['Which helmets fit children?', 10],
      ],
    );
  });

  itInSoak('keep a queued question while a concurrent deletion of the question may roll back', async () => {
    const { ask, list } = await build();
    const { database } = parley;
    const { messageId } = await ask('Do you repair tandems?');
    const keeps = database.transaction(async (db) => {
      await db.sql('DELETE FROM messages WHERE id = $1', [messageId]);
      await groupAll(parley);
      assert.deepEqual(await list(), []);
      throw new Error('taken back');
    });
    await assert.rejects(keeps, /taken back/);
    await groupAll(parley);
    assert.equal((await list())[0]!.asked, 1);
  });
});
