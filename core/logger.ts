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
 * Creates a JSON-lines logger, on standard error by default; `error` means that a person must act. Untrusted text in a
 * line cannot affect the terminal that shows it.
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
      redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
      serializers: { err: describeError, error: describeError },
      hooks: { streamWrite: escapeUnsafe },
    },
    destination,
  );
}
