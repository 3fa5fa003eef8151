import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../core/errors/errors.ts';

/** Number of chunks that a request body may have regardless of their size. */
const FREE_CHUNKS = 2000;
/** Minimum average size in bytes of a request body's chunks beyond the first `FREE_CHUNKS`. */
const MIN_BYTES = 64;

/**
 * Refuses a request whose body has too many tiny chunks: each chunk costs an event-loop turn and a hundred
 * times its own memory. Counts chunks before any reader of the body gets them.
 * @param refuse responds with the error and closes the connection
 */
export function watchChunks(request: IncomingMessage, refuse: (error: AppError) => void): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  const push = request.push.bind(request);
  let chunks = 0;
  let bytes = 0;
  let isRefused = false;
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (isRefused) return false;
    if (chunk === null) return push(chunk, encoding);
    chunks += 1;
    bytes += chunk.length;
    if (chunks <= FREE_CHUNKS + bytes / MIN_BYTES) return push(chunk, encoding);
    isRefused = true;
    refuse(tinyChunks());
    return false;
  };
}

function tinyChunks(): AppError {
  return new AppError(
    'malformed_request',
    'The body was sent in too many tiny chunks. Send it with a Content-Length, or in chunks of a few kilobytes.',
  );
}
