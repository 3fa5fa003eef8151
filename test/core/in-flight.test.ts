import assert from 'node:assert/strict';
import { InFlight } from '../../core/concurrency/in-flight.ts';

describe('InFlight', () => {
  it('has others wait until the one that goes ahead is done', async () => {
    const inFlight = new InFlight();
    const done = inFlight.begin('slot', 'first');
    const first = inFlight.find('slot');
    assert.equal(first?.who, 'first');
    done();
    await first.done;
    assert.equal(inFlight.find('slot'), undefined);
  });

  it('has nobody wait for one that takes too long, whose end leaves the next one alone', async () => {
    const inFlight = new InFlight();
    const done = inFlight.begin('slot', 'first');
    await inFlight.find('slot')?.done;
    inFlight.begin('slot', 'second');
    done();
    assert.equal(inFlight.find('slot')?.who, 'second');
  });
});
