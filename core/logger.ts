import { pino, type DestinationStream, type Logger } from 'pino';
import { describeError } from './errors/describe-error.ts';
import { escapeUnsafe } from './text/safe-text.ts';

export type { Logger };

const REDACTED_PATHS = [
  'api_key',
  'password',
  'secret',
  'token',
  'authorization',
  '*.api_key',
  '*.password',
  '*.secret',
  '*.token',
  '*.authorization',
  'req.headers.authorization',
];

/**
 * Creates a logger that writes JSON lines, to standard error by default. A line of level `error` means that a
 * person must act. Control characters are escaped, so that untrusted text cannot affect a terminal.
 */
export function createLogger(
  name: string,
  level: string,
  destination: DestinationStream = pino.destination({ fd: 2, sync: false }),
): Logger {
  return pino(
    {
      name,
      level,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
      serializers: { err: describeError, error: describeError },
      hooks: { streamWrite: escapeUnsafe },
    },
    destination,
  );
}
