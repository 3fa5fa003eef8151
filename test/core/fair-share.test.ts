import assert from 'node:assert/strict';
import { FairShare } from '../../core/concurrency/fair-share.ts';

describe('FairShare', () => {
  /**
   * Lets holders (such as workspaces) take slots one after the other until none may take more. Returns their
   * shares and the number of free slots.
   */
  function takeShares(places: number, holders: number): { shares: number[]; free: number } {
    const share = new FairShare(places);
    const names = Array.from({ length: holders }, (_, index) => String(index));
    for (let isAny = true; isAny;) {
      const takers = names.filter((name) => {
        const mayTake = share.countAvailable(name) > 0;
        if (mayTake) share.take(name);
        return mayTake;
      });
      isAny = takers.length > 0;
    }
    return { shares: names.map((name) => share.countTaken(name)), free: share.free };
  }

  for (const [holders, each] of [
    [1, 50],
    [3, 25],
    [9, 10],
  ] as const) {
    it(`of 100 slots gives each of ${holders} holders ${each} slots, and leaves ${each} free`, () => {
      assert.deepEqual(takeShares(100, holders), { shares: Array(holders).fill(each), free: each });
    });
  }

  it('is the number of slots that a holder can take one by one', () => {
    for (let taken = 0; taken <= 10; taken += 1) {
      const share = new FairShare(10);
      for (let count = 0; count < taken; count += 1) share.take('other');
      const available = share.countAvailable('it');
      for (let count = 0; count < available; count += 1) {
        assert.ok(share.countAvailable('it') > 0);
        share.take('it');
      }
      assert.equal(share.countAvailable('it'), 0, `${taken} taken`);
    }
  });

  it('reserves a slot for each holder without a slot, in addition to the slots that a few holders have taken', () => {
    const share = new FairShare(16, 16);
    const takeAll = (name: string) => {
      while (share.countAvailable(name) > 0) share.take(name);
      return share.countTaken(name);
    };
    const names = Array.from({ length: 22 }, (_, index) => String(index));
    assert.deepEqual(names.map(takeAll), [8, 4, 2, 1, 1, ...Array<number>(16).fill(1), 0]);
    share.release('5');
    assert.deepEqual(
      [share.countAvailable('0'), share.countAvailable('6'), share.countAvailable('21')],
      [0, 0, 1],
    );
  });

  it('grows as other holders release slots; until then, a holder above its share gets no slot', () => {
    const share = new FairShare(12);
    for (let count = 0; count < 6; count += 1) share.take('first');
    for (let count = 0; count < 3; count += 1) share.take('second');
    assert.deepEqual(
      [share.countAvailable('first'), share.countAvailable('second'), share.countAvailable('third')],
      [0, 0, 2],
    );
    for (let count = 0; count < 6; count += 1) share.release('first');
    assert.deepEqual([share.free, share.countAvailable('second'), share.countTaken('first')], [9, 3, 0]);
  });
});
