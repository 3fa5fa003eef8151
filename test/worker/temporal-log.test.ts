import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { Logger as TemporalLogger } from '@temporalio/worker';
import { createTemporalLogger } from '../../worker/temporal/temporal-log.ts';

/** Writes entries to Temporal's log at this level, and returns what was logged. */
function captureLog(level: string, write: (log: TemporalLogger) => void): object[] {
  const lines: object[] = [];
  const log = pino(
    { level, base: null, timestamp: false, formatters: { level: (label) => ({ level: label }) } },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
  write(createTemporalLogger(log));
  return lines;
}

describe('log entries of Temporal’s SDK', () => {
  it('keep their level, except that info becomes debug', () => {
    const write = (log: TemporalLogger) => {
      log.error('Worker failed', { taskQueue: 'parley' });
      log.warn('Activity failed');
      log.info('Worker state changed');
    };
    assert.deepEqual(captureLog('debug', write), [
      { level: 'error', taskQueue: 'parley', msg: 'Worker failed' },
      { level: 'warn', msg: 'Activity failed' },
      { level: 'debug', msg: 'Worker state changed' },
    ]);
  });

  it('omit task tokens', () => {
    const write = (log: TemporalLogger) =>
      log.warn('Activity failed', { activityType: 'fetchSource', taskToken: 'CiQ='.repeat(80) });
    assert.deepEqual(captureLog('info', write), [
      { level: 'warn', activityType: 'fetchSource', msg: 'Activity failed' },
    ]);
  });

  it('omit the warning about a task queue that has only activities', () => {
    const write = (log: TemporalLogger) =>
      log.warn('No workflows registered, not polling for workflow tasks', { taskQueue: 'parley-fetch' });
    assert.deepEqual(captureLog('info', write), []);
  });
});
