import assert from 'node:assert/strict';
import { buildKnowledgeBase, buildMultipartUpload } from '../../support/knowledge.ts';
import {
  startSharedParleyWithWorker,
  waitForTerminalState,
  type SharedParleyWithWorker,
} from '../../support/worker.ts';

describe('uploadDocument of a table', () => {
  let parley: SharedParleyWithWorker;
  before(async () => {
    parley = await startSharedParleyWithWorker();
  });

  it('indexes a CSV file with sep= and a stray quotation mark, and reports its line', async () => {
    const { client, path } = await buildKnowledgeBase(parley);
    const file = 'sep=;\r\nName;Size;Price\r\nOvertop hinge;3;5,50\r\nPipe;3;"bad\r\nNut;4;6\r\n';
    const { headers, body } = buildMultipartUpload('prices.csv', file);
    const response = await client.fetch(`${path}/upload`, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: new Uint8Array(body),
    });
    const { id } = (await response.json()) as { id: string };
    const { status, notice } = await waitForTerminalState(parley, id);
    assert.deepEqual(
      [status, notice],
      [
        'indexed',
        'A quotation mark is not closed in line 4 of the CSV file. It was read as text; check the cells next to it.',
      ],
    );
    const { body: found } = await client.post(`${path}/search`, { query: 'overtop hinge' });
    assert.equal(
      found.items[0]?.text,
      'Name: Overtop hinge\nSize: 3\nPrice: 5,50\n\nName: Pipe\nSize: 3\nPrice: "bad\n\nName: Nut\nSize: 4\nPrice: 6',
    );
  });
});
