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
 * A JSON-lines logger, on standard error by default; `error` means that a human must act. A line does nothing to the
 * terminal that shows it, whatever strangers have put into it.
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
