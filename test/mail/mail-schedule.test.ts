import assert from 'node:assert/strict';
import { loadSettings } from '../../core/settings/settings.ts';
import { parseSchedule } from '../../services/webhooks/retry-schedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('the retry schedule of emails', () => {
  it('is 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 6 h, 12 h and 24 h by default', () => {
    assert.deepEqual(parseSchedule(loadSettings({}).mailRetrySchedule), [
      5000,
      30_000,
      2 * MINUTE,
      10 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      6 * HOUR,
      12 * HOUR,
      24 * HOUR,
    ]);
  });
});
