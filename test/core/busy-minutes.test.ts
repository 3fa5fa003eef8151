import assert from 'node:assert/strict';
import { mergeBusy } from '../../core/bookings/busy-minutes.ts';
import { assertCpuBelow } from '../support/cost.ts';
import { buildBusyPeriods } from '../support/busy-periods.ts';

describe('mergeBusy', () => {
  const cases: [name: string, lists: number[][], merged: number[]][] = [
    ['no list', [], []],
    ['one list', [[1, 2, 5, 6]], [1, 2, 5, 6]],
    ['empty lists', [[], [], [3, 4], []], [3, 4]],
    [
      'periods that overlap, touch and contain others',
      [
        [1, 4, 8, 9],
        [2, 5, 6, 8],
        [0, 1, 20, 30],
        [22, 23],
      ],
      [0, 5, 6, 9, 20, 30],
    ],
    [
      'three equal lists',
      [
        [1, 2],
        [1, 2],
        [1, 2],
      ],
      [1, 2],
    ],
  ];
  for (const [name, lists, merged] of cases)
    it(`merges ${name}`, () => assert.deepEqual(mergeBusy(lists), merged));

  it('merges hundreds of thousands of periods in few milliseconds', () => {
    const lists = Array.from({ length: 5 }, (_, index) => buildBusyPeriods(46_800, index));
    assertCpuBelow(40, () => mergeBusy(lists));
  });
});
