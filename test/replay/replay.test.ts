import assert from 'node:assert/strict';
import { Worker } from '@temporalio/worker';
import * as workflows from '../../workflows/index.ts';
import { buildReplayOptions } from '../support/worker.ts';
import { readRecordedHistories, type RecordedHistory } from './recorded-histories.ts';

/** Tests that workflows that were started by earlier code continue with the current code. */
describe('recorded histories', () => {
  let recorded: RecordedHistory[];
  before(async () => (recorded = await readRecordedHistories()));

  it('can all be replayed', async () => {
    const results = Worker.runReplayHistories(buildReplayOptions(false), recorded);
    for await (const { workflowId, error } of results) assert.equal(error, undefined, workflowId);
  });

  it('include at least one history of every workflow', () => {
    const types = recorded.map(
      ({ history }) => history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name,
    );
    assert.deepEqual([...new Set(types)].toSorted(), Object.keys(workflows).toSorted());
  });
});
