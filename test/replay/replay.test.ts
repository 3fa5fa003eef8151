import assert from 'node:assert/strict';
import { Worker } from '@temporalio/worker';
import * as workflows from '../../workflows/index.ts';
import { replayOptions } from '../support/worker.ts';
import { recordedHistories, type RecordedHistory } from './recorded-histories.ts';

/** What runs now must go on with the code of today. */
describe('recorded histories', () => {
  let recorded: RecordedHistory[];
  before(async () => (recorded = await recordedHistories()));

  it('can all be replayed', async () => {
    const results = Worker.runReplayHistories(replayOptions(false), recorded);
    for await (const { workflowId, error } of results) assert.equal(error, undefined, workflowId);
  });

  it('there is one at least of every workflow', () => {
    const types = recorded.map(
      ({ history }) => history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name,
    );
    assert.deepEqual([...new Set(types)].toSorted(), Object.keys(workflows).toSorted());
  });
});
