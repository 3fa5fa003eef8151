import assert from 'node:assert/strict';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { RevisionRepository } from '../../repositories/knowledge/revision.repository.ts';
import { ReadingAttempts } from '../../services/knowledge/ingestion/reading-attempts.ts';
import { buildDocument, buildKnowledgeBase } from '../support/knowledge.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';

describe('ReadingAttempts', () => {
  let parley: SharedParley;
  let attempts: ReadingAttempts;
  before(async () => {
    parley = await startSharedParley();
    attempts = new ReadingAttempts(new RevisionRepository());
  });

  /** @param crashes number of earlier attempts to read the document that did not end */
  async function buildReading(crashes: number) {
    const { orgId, botId } = await buildKnowledgeBase(parley);
    const { database: db } = parley;
    const documentId = await buildDocument(db, {
      orgId,
      botId,
      status: 'processing',
      readingAttempts: crashes,
    });
    const find = () => db.repository(Document).findOneByOrFail({ id: documentId });
    const document = await find();
    return {
      run: <T>(work: () => Promise<T>) =>
        attempts.run({ orgId, db }, document, {
          revision: { botId, documentId, revision: 1 },
          signal: undefined,
          work,
        }),
      count: async () => (await find()).readingAttempts,
    };
  }

  it('run counts each attempt until it ends', async () => {
    const { run, count } = await buildReading(0);
    const failing = run(async () => {
      assert.equal(await count(), 1);
      throw new Error('cancelled');
    });
    await assert.rejects(failing, /^Error: cancelled$/);
    assert.equal(await count(), 0);
  });

  it('run reads documents that have crashed a process one at a time, and other documents meanwhile', async () => {
    const [fresh, suspect, other] = await Promise.all([0, 1, 2].map(buildReading));
    const results = await suspect!.run(() =>
      Promise.all([other!.run(async () => 'read'), fresh!.run(async () => 'read')]),
    );
    assert.deepEqual(results, ['out_of_turn', 'read']);
    assert.equal(await other!.count(), 2);
  });

  it('run refuses a document after three crashes without another attempt', async () => {
    const { run, count } = await buildReading(3);
    await assert.rejects(
      run(async () => assert.fail('read again')),
      {
        name: 'UnreadableDocument',
        reason: 'crashes',
        message:
          'Reading the document crashed 3 times. Save only the document’s text, or split the document.',
      },
    );
    assert.equal(await count(), 3);
  });
});
