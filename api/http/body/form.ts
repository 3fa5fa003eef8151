import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { AppError } from '../../../core/errors/errors.ts';
import { formatSize } from '../../../core/text/size-text.ts';

/**
 * Reads the fields of an HTML form on one of Parley's pages.
 * @throws AppError `unsupported_media_type`, `payload_too_large`
 */
export async function readForm(request: IncomingMessage, maxBytes: number): Promise<URLSearchParams> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded')
    throw new AppError('unsupported_media_type', 'Send the form as application/x-www-form-urlencoded.');
  try {
    return new URLSearchParams((await getRawBody(request, { limit: maxBytes })).toString('utf8'));
  } catch (error) {
    throw new AppError('payload_too_large', `The form exceeds ${formatSize(maxBytes)}.`, {
      cause: error,
    });
  }
}
