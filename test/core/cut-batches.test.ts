import assert from 'node:assert/strict';
import { cutBatches } from '../../core/cut-batches.ts';

describe('cutBatches', () => {
  const cut = (items: number[]) => [
    ...cutBatches(items, { maxItems: 3, maxWeight: 10, weigh: (item) => item }),
  ];

  for (const [what, items, batches] of [
    ['no items makes no batch', [], []],
    ['few light items makes one batch', [1, 2, 3], [[1, 2, 3]]],
    ['more items than a batch may have begins another one', [1, 1, 1, 1], [[1, 1, 1], [1]]],
    ['items that weigh exactly as much as a batch may keeps them together', [4, 6], [[4, 6]]],
    ['items that weigh more together begins another one', [4, 7, 2], [[4], [7, 2]]],
    ['an item that is too heavy makes a batch of it alone', [1, 50, 1], [[1], [50], [1]]],
  ] as [string, number[], number[][]][])
    it(`cuts ${what}`, () => assert.deepEqual(cut(items), batches));

  it('counts items alone without weights', () => {
    assert.deepEqual([...cutBatches([50, 60, 70], { maxItems: 2 })], [[50, 60], [70]]);
  });
});
