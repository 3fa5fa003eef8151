import type { Logger as TemporalLogger, LogLevel } from '@temporalio/worker';
import type { Logger } from '../../core/logger.ts';

/** Message that the Temporal SDK logs for each worker that runs only activities. */
const NO_WORKFLOWS = 'No workflows registered, not polling for workflow tasks';

/**
 * Creates a logger for the Temporal SDK that writes to Parley's log. Messages about single tasks get the
 * level debug.
 */
export function createTemporalLogger(log: Logger): TemporalLogger {
  const logAs = (level: LogLevel, message: string, meta: { taskToken?: unknown } = {}) => {
    const { taskToken: _longAndOfNoUse, ...fields } = meta;
    if (level === 'ERROR') log.error(fields, message);
    else if (level === 'WARN' && message !== NO_WORKFLOWS) log.warn(fields, message);
    else log.debug(fields, message);
  };
  return {
    log: logAs,
    trace: (message, meta) => logAs('TRACE', message, meta),
    debug: (message, meta) => logAs('DEBUG', message, meta),
    info: (message, meta) => logAs('INFO', message, meta),
    warn: (message, meta) => logAs('WARN', message, meta),
    error: (message, meta) => logAs('ERROR', message, meta),
  };
}
