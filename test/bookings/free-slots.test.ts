import assert from 'node:assert/strict';
import { listFreeSlots, listTakenTimes } from '../../core/bookings/slots.ts';
import { MINUTE_MS } from '../../core/local-clock.ts';

/** Builds a span of time from two times in minutes. */
const span = (start: number, end: number) => ({ start: start * MINUTE_MS, end: end * MINUTE_MS });

describe('free slots', () => {
  const rules = { bufferMinutes: 15 };
  const grid = [span(600, 630), span(645, 675), span(690, 720)];
  const findFree = (busy: number[]) =>
    listFreeSlots(grid, rules, listTakenTimes([], busy, rules)).map(({ start }) => start / MINUTE_MS);

  it('end at least the buffer before the next busy time', () => {
    assert.deepEqual(findFree([690, 700]), [600, 645]);
    assert.deepEqual(findFree([689, 700]), [600]);
  });

  it('begin at least the buffer after the previous busy time', () => {
    assert.deepEqual(findFree([620, 630]), [645, 690]);
    assert.deepEqual(findFree([620, 631]), [690]);
  });
});
