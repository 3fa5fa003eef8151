import assert from 'node:assert/strict';
import { Worker } from '@temporalio/worker';
import { readRecordedHistories } from '../replay/recorded-histories.ts';
import { buildReplayOptions } from '../support/worker.ts';

describe('recorded histories', () => {
  it('can all be replayed with tracing', async () => {
    const results = Worker.runReplayHistories(buildReplayOptions(true), await readRecordedHistories());
    for await (const { workflowId, error } of results) assert.equal(error, undefined, workflowId);
  });
});
