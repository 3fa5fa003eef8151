import assert from 'node:assert/strict';
import { cutBatches } from '../../core/cut-batches.ts';

describe('cutBatches', () => {
  const cut = (items: number[]) => [
    ...cutBatches(items, { maxItems: 3, maxWeight: 10, weigh: (item) => item }),
  ];

  for (const [what, items, batches] of [
    ['no items into no batch', [], []],
    ['few light items into one batch', [1, 2, 3], [[1, 2, 3]]],
    ['more items than the maximum into two batches', [1, 1, 1, 1], [[1, 1, 1], [1]]],
    ['items of exactly the maximum weight into one batch', [4, 6], [[4, 6]]],
    ['items of more than the maximum weight into two batches', [4, 7, 2], [[4], [7, 2]]],
    ['an item that is too heavy into its own batch', [1, 50, 1], [[1], [50], [1]]],
  ] as [string, number[], number[][]][])
    it(`cuts ${what}`, () => assert.deepEqual(cut(items), batches));

  it('limits only the number of items if they have no weights', () => {
    assert.deepEqual([...cutBatches([50, 60, 70], { maxItems: 2 })], [[50, 60], [70]]);
  });
});
