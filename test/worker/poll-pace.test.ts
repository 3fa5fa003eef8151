import assert from 'node:assert/strict';
import { PollPace } from '../../worker/polling/poll-pace.ts';

describe('the polling interval of a queue', () => {
  let now: number;
  let pace: PollPace;

  beforeEach(() => {
    now = 1_000_000;
    pace = new PollPace({ busyMs: 500, idleMs: 1000, busyForMs: 30_000, emptyMs: 5000 }, () => now);
  });

  it('is short for a while after rows were found, and then longer', () => {
    assert.deepEqual([pace.isIdle, pace.pauseMs], [true, 1000]);
    pace.noteWork();
    now += 29_999;
    assert.deepEqual([pace.isIdle, pace.pauseMs], [false, 500]);
    now += 1;
    assert.deepEqual([pace.isIdle, pace.pauseMs], [true, 1000]);
  });

  it('is long while the queue is empty, and short once a row arrives', () => {
    pace.noteEmpty(true);
    assert.equal(pace.pauseMs, 5000);
    pace.noteEmpty(false);
    assert.equal(pace.pauseMs, 1000);
  });

  it('is short after an empty poll if a notification arrived in the meantime', () => {
    pace.noteWork();
    pace.noteEmpty(true);
    assert.equal(pace.pauseMs, 500);
    now += 30_000;
    assert.equal(pace.pauseMs, 1000);
  });

  it('resets after a notification', () => {
    pace.noteEmpty(true);
    pace.noteWork();
    now += 30_000;
    assert.equal(pace.pauseMs, 1000);
  });
});
