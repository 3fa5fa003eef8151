import assert from 'node:assert/strict';
import { TurnDeadline } from '../../services/flows/running/turn-deadline.ts';

describe('TurnDeadline', () => {
  it('expires by the clock if its timer cannot fire', () => {
    const deadline = new TurnDeadline(5);
    const until = performance.now() + 10;
    while (performance.now() < until);
    assert.deepEqual([deadline.hasPassed, deadline.signal.aborted], [true, false]);
  });

  it('aborts its signal when it expires', async () => {
    const deadline = new TurnDeadline(5);
    await new Promise((resolve) => deadline.signal.addEventListener('abort', resolve));
    assert.equal(deadline.hasPassed, true);
  });

  it('has not passed before it expires', () => assert.equal(new TurnDeadline(60_000).hasPassed, false));
});
