import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import * as workflows from '../../workflows/index.ts';
import { replayOptions } from '../support/worker.ts';

const folder = new URL('./histories/', import.meta.url);

/**
 * Histories of the workflows as they were released, by `temporal workflow show --output json`: what runs now must
 * go on with the code of today.
 */
describe('recorded histories', () => {
  let recorded: { workflowId: string; history: History }[];

  before(async () => {
    const names = await readdir(folder);
    recorded = await Promise.all(
      names.map(async (name) => ({
        workflowId: name.replace('.json', ''),
        history: historyFromJSON(JSON.parse(await readFile(new URL(name, folder), 'utf8'))),
      })),
    );
  });

  for (const isTraced of [false, true]) {
    it(`can all be replayed ${isTraced ? 'with' : 'without'} tracing`, async () => {
      const results = Worker.runReplayHistories(replayOptions(isTraced), recorded);
      for await (const { workflowId, error } of results) assert.equal(error, undefined, workflowId);
    });
  }

  it('there is one at least of every workflow', () => {
    const types = recorded.map(
      ({ history }) => history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name,
    );
    assert.deepEqual([...new Set(types)].toSorted(), Object.keys(workflows).toSorted());
  });
});
