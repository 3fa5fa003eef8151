import assert from 'node:assert/strict';
import { checkTimeRange } from '../../api/http/schemas/check-time-range.ts';
import { operations } from '../../api/registry.ts';

const EARLY = '2026-12-01T22:00:00Z';
const LATE = '2026-12-02T00:30:00+02:00';

function listFaults(id: string, query: Record<string, unknown>): string[] {
  const operation = operations.find((each) => each.id === id);
  return checkTimeRange(operation?.query, query).map(({ field, message }) => `${field} ${message}`);
}

describe('checkTimeRange', () => {
  for (const id of ['listWebhookDeliveries', 'listConversations'])
    it(`refuses a reversed or empty range of ${id}, and accepts any other`, () => {
      assert.deepEqual(listFaults(id, { from: LATE, to: EARLY }), ['to must be later than from']);
      assert.deepEqual(listFaults(id, { from: EARLY, to: EARLY }), ['to must be later than from']);
      for (const query of [
        { from: EARLY, to: LATE },
        { from: EARLY },
        { to: EARLY },
        { from: 'x', to: EARLY },
        {},
      ])
        assert.deepEqual(listFaults(id, query), []);
    });

  it('accepts a range of one day', () => {
    const day = '2026-12-01';
    assert.deepEqual(listFaults('getUsageHistory', { from: day, to: day }), []);
  });
});
