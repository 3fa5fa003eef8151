import assert from 'node:assert/strict';
import { Forerunners } from '../../core/concurrency/forerunners.ts';

describe('Forerunners', () => {
  it('has others wait until the one that goes ahead is done', async () => {
    const forerunners = new Forerunners();
    const done = forerunners.goAhead('slot', 'first');
    const first = forerunners.find('slot');
    assert.equal(first?.who, 'first');
    done();
    await first.over;
    assert.equal(forerunners.find('slot'), undefined);
  });

  it('has nobody wait for one that takes too long, whose end leaves the next one alone', async () => {
    const forerunners = new Forerunners();
    const done = forerunners.goAhead('slot', 'first');
    await forerunners.find('slot')?.over;
    forerunners.goAhead('slot', 'second');
    done();
    assert.equal(forerunners.find('slot')?.who, 'second');
  });
});
