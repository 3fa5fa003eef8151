import { AppError } from '../../core/errors/errors.ts';
import { KeyServiceError } from '../../adapters/keys/services/key-service.ts';

/**
 * Seconds for which a key service's failure is reported to all callers before the key service is called
 * again.
 */
export const KEY_RETRY_SECONDS = 5;

/** Creates the error for callers that need an encryption key that cannot be decrypted. */
export function keyUnavailable(cause: unknown): AppError {
  const isRefused = cause instanceof KeyServiceError && cause.failure !== 'unreachable';
  const message = isRefused
    ? 'The workspace’s key service refuses to decrypt the workspace key. Retry once the key service allows it.'
    : 'The workspace’s key service does not respond, so the workspace key cannot be decrypted. Retry in a moment.';
  return new AppError('key_unavailable', message, {
    cause,
    headers: { 'Retry-After': String(KEY_RETRY_SECONDS) },
  });
}
