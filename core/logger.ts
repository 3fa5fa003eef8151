import { pino, type DestinationStream, type Logger } from 'pino';
import { describeError } from './errors/describe-error.ts';

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

/** A JSON-lines logger, on standard error by default; `error` means that a human must act. */
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
    },
    destination,
  );
}
