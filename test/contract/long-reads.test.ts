import assert from 'node:assert/strict';
import { isContentSpec, type Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';

/**
 * List operations whose responses are short without `isLong`, by reason. A new list must be added here or
 * declared as long.
 */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  'Callers cannot add rows to it.': ['listApiVersions', 'listModels', 'listPlans', 'listWebhookEvents'],
  'The number of its rows is limited.': [
    'listAlertPolicies',
    'listBookingSlots',
    'listCalendars',
    'listConversationFiles',
    'listDailyUsage',
    'listIdentities',
    'listSavedViews',
    'listTopQuestions',
    'listWidgetFiles',
    'listWidgetSlots',
  ],
};

function isList({ isWrite, success: { spec } }: Operation): boolean {
  if (isWrite || isContentSpec(spec)) return false;
  return spec['type'] === 'array' || String(spec['$id']).startsWith('PaginatedResponse');
}

describe('reads of long responses', () => {
  it('are all lists except those that are known to be short', () => {
    const lists = operations.filter(isList);
    const ids = lists.filter(({ isLong }) => !isLong).map(({ id }) => id);
    const message = 'Declare isLong, or add it to SHORT with the reason.';
    assert.deepEqual(ids.toSorted(), Object.values(SHORT).flat().toSorted(), message);
  });

  it('do not include writes, whose responses must always be sent', () => {
    assert.deepEqual(
      operations.filter(({ isLong, isWrite }) => isLong && isWrite),
      [],
    );
  });
});
