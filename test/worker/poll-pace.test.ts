import assert from 'node:assert/strict';
import { PollPace } from '../../worker/polling/poll-pace.ts';

describe('how often a queue is looked at', () => {
  let now: number;
  let pace: PollPace;

  beforeEach(() => {
    now = 1_000_000;
    pace = new PollPace({ busyMs: 500, idleMs: 1000, busyForMs: 30_000, emptyMs: 5000 }, () => now);
  });

  it('is often for a while after something came, then less', () => {
    assert.deepEqual([pace.isIdle, pace.pauseMs], [true, 1000]);
    pace.note();
    now += 29_999;
    assert.deepEqual([pace.isIdle, pace.pauseMs], [false, 500]);
    now += 1;
    assert.deepEqual([pace.isIdle, pace.pauseMs], [true, 1000]);
  });

  it('is seldom while nothing is there, and not once anything is', () => {
    pace.noteEmpty(true);
    assert.equal(pace.pauseMs, 5000);
    pace.noteEmpty(false);
    assert.equal(pace.pauseMs, 1000);
  });

  it('is often although nothing was found, when something came meanwhile', () => {
    pace.note();
    pace.noteEmpty(true);
    assert.equal(pace.pauseMs, 500);
    now += 30_000;
    assert.equal(pace.pauseMs, 1000);
  });

  it('forgets that nothing was there when something comes', () => {
    pace.noteEmpty(true);
    pace.note();
    now += 30_000;
    assert.equal(pace.pauseMs, 1000);
  });
});
