import { pino, type Logger } from 'pino';

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

/** A JSON-lines logger on standard error; `error` means that a human must act. */
export function createLogger(name: string, level: string): Logger {
  return pino(
    { name, level, redact: { paths: REDACTED_PATHS, censor: '[redacted]' } },
    pino.destination({ fd: 2, sync: false }),
  );
}
