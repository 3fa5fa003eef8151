import assert from 'node:assert/strict';
import { operations } from '../../api/registry.ts';
import { shippedVersions } from '../../core/api-versions.ts';
import { eventNames } from '../../services/webhooks/event-catalog.ts';

describe('the versions of the API', () => {
  it('begin with the current version and go back in time', () => {
    const dates = shippedVersions.all.map(({ version }) => version);
    assert.equal(shippedVersions.current, '2026-09-03');
    assert.deepEqual(dates, [...new Set(dates)].sort().toReversed());
  });

  for (const { version, changes, deprecatedAt, sunsetAt } of shippedVersions.all) {
    it(`have dates in order: ${version}`, () => {
      for (const date of [version, deprecatedAt ?? version, sunsetAt ?? version])
        assert.equal(new Date(date).toISOString().slice(0, 10), date);
      assert.ok(version <= (deprecatedAt ?? version));
      assert.ok(sunsetAt === null || (deprecatedAt !== null && deprecatedAt <= sunsetAt));
    });

    it(`list changes only of existing operations and events: ${version}`, () => {
      const operationIds = new Set(operations.map(({ id }) => id));
      const knownEvents = new Set<string>(eventNames);
      for (const { operations: changed = [], events = [] } of changes) {
        for (const id of changed) assert.ok(operationIds.has(id), id);
        for (const name of events) assert.ok(knownEvents.has(name), name);
      }
    });
  }
});
