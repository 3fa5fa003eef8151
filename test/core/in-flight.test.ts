import assert from 'node:assert/strict';
import { InFlight } from '../../core/concurrency/in-flight.ts';

describe('InFlight', () => {
  it('makes followers wait for the leader', async () => {
    const inFlight = new InFlight();
    const done = inFlight.begin('slot', 'first');
    const first = inFlight.find('slot');
    assert.equal(first?.ownerId, 'first');
    done();
    await first.done;
    assert.equal(inFlight.find('slot'), undefined);
  });

  it('stops waiting for a slow leader, whose end does not affect the next leader', async () => {
    const inFlight = new InFlight();
    const done = inFlight.begin('slot', 'first');
    await inFlight.find('slot')?.done;
    inFlight.begin('slot', 'second');
    done();
    assert.equal(inFlight.find('slot')?.ownerId, 'second');
  });
});
