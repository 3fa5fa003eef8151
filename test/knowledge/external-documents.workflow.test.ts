import assert from 'node:assert/strict';
import { startParleyWithWorker, useSuccessor, waitForTerminalState } from '../support/worker.ts';
import type { TestParleyWithWorker } from '../support/worker.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { buildExternalBase } from './external-support.ts';

describe('a document that is replaced', () => {
  let parley: TestParleyWithWorker;
  before(async () => {
    parley = await startParleyWithWorker();
  });
  after(() => parley.stop());
  const startSuccessor = useSuccessor(() => parley);

  it('is found with its previous passages until the new passages are indexed, and then has one file', async () => {
    const { client, knowledgePath, putText, countFiles, readRow } = await buildExternalBase(parley);
    const search = async () => {
      const { body } = await client.post(`${knowledgePath}/search`, { query: 'workshop' });
      return body.items.map(({ text }) => text);
    };
    const { body: first } = await putText('hours', 'The workshop opens at nine.');
    await waitForTerminalState(parley, first.id);
    assert.deepEqual(await search(), ['The workshop opens at nine.']);
    assert.equal((await putText('hours', 'The workshop opens at nine.')).body.outcome, 'unchanged');
    await parley.worker.stop();
    const { body: second } = await putText('hours', 'The workshop opens at ten.');
    const { body: third } = await putText('hours', 'The workshop opens at eleven.');
    assert.deepEqual(
      [second, third].map(({ id, outcome, status, chunk_count: chunks }) => [id, outcome, status, chunks]),
      [
        [first.id, 'replaced', 'pending', 1],
        [first.id, 'replaced', 'pending', 1],
      ],
    );
    assert.deepEqual(await search(), ['The workshop opens at nine.']);
    await startSuccessor();
    const { status, revision } = await waitForTerminalState(parley, first.id);
    assert.deepEqual([status, revision], ['indexed', 3]);
    assert.deepEqual(await search(), ['The workshop opens at eleven.']);
    await waitUntilEqual(countFiles, 1);
    assert.equal((await readRow(first.id)).chunkCount, 1);
  });
});
