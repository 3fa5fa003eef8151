import { Writable } from 'node:stream';
import { createLogger, type Logger } from '../../core/logger.ts';

/** A written log entry. */
export interface LogEntry {
  level: string;
  msg: string;
  requestId?: string;
  err?: { message: string; stack: string };
  [member: string]: unknown;
}

export interface RecordedLog {
  log: Logger;
  entries(): LogEntry[];
}

/** Creates a logger whose entries a test can read. */
export function recordLog(level = 'info'): RecordedLog {
  let text = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return {
    log: createLogger('test', level, sink),
    entries: () =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as LogEntry),
  };
}
