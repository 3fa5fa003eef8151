import { Readable, pipeline } from 'node:stream';
import { PutObjectCommand, UploadPartCommand, type S3Client } from '@aws-sdk/client-s3';
import { BoundedStream } from './bounded-stream.ts';
import { StorageTimeoutError, UnexpectedResponseError } from './object-storage.ts';

/** Limits on how long an S3 file storage may take, and how much it may list. */
export interface S3Limits {
  /** Maximum time in milliseconds until the storage begins to respond to one attempt, except to an upload. */
  attemptMs: number;
  /**
   * Maximum time in milliseconds of a command with all its attempts, except an upload. This time does not
   * include the content of an object.
   */
  commandMs: number;
  /** Maximum time in milliseconds to upload a file, or a part of one, with all attempts. */
  uploadMs: number;
  /**
   * Maximum pause in milliseconds within an upload, and within the content of an object while the reader
   * waits for it.
   */
  pauseMs: number;
  /** Maximum number of pages of the storage's list of objects, each with up to 1000 objects. */
  listPages: number;
}

/**
 * Default limits of an S3 file storage. Two parts of 5 MiB that are uploaded at the same time take 5 minutes
 * at 35 KB/s.
 */
export const S3_LIMITS: S3Limits = {
  attemptMs: 30_000,
  commandMs: 60_000,
  uploadMs: 300_000,
  pauseMs: 60_000,
  listPages: 10_000,
};

const PIECE_BYTES = 64 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
/**
 * Maximum size in bytes of the storage's response without the content of an object. A list of 1000 objects
 * has up to 1.5 MB.
 */
const MAX_RESULT_BYTES = 4 * 1024 * 1024;

/**
 * Limits the time and the responses of all commands of an S3 client, including the commands of multipart
 * uploads.
 */
export function limitClient(client: S3Client, limits: S3Limits): void {
  limitBodies(client, limits.pauseMs);
  writeInPieces(client);
  limitTime(client, limits);
}

interface SendOptions {
  abortSignal?: AbortSignal;
  /** Maximum time in milliseconds until the storage begins to respond to one attempt; 0 for no limit. */
  requestTimeout?: number;
}
type Send = (command: object, options?: SendOptions) => Promise<unknown>;

function limitTime(client: S3Client, { attemptMs, commandMs, uploadMs, pauseMs }: S3Limits): void {
  const send = client.send.bind(client) as Send;
  const sendInTime: Send = async (command, options = {}) => {
    const isUpload = command instanceof PutObjectCommand || command instanceof UploadPartCommand;
    const totalMs = isUpload ? uploadMs : commandMs;
    const requestTimeout = isUpload ? 0 : attemptMs;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), totalMs);
    const { signal } = deadline;
    const abortSignal = options.abortSignal ? AbortSignal.any([options.abortSignal, signal]) : signal;
    try {
      return await send(command, { ...options, abortSignal, requestTimeout });
    } catch (error) {
      if (signal.aborted) throw new StorageTimeoutError(totalMs, { cause: error });
      if (isTimeout(error)) throw new StorageTimeoutError(isUpload ? pauseMs : attemptMs, { cause: error });
      throw error;
    } finally {
      // Stop the timer before the content of an object is read, which may take longer.
      clearTimeout(timer);
    }
  };
  client.send = sendInTime as typeof client.send;
}

/**
 * Returns true if an attempt to reach the S3 storage timed out. The SDK uses the same error name for closed
 * connections, but adds the code of the system error.
 */
function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'TimeoutError') return false;
  return !('code' in error) || error.code === 'ETIMEDOUT';
}

interface RawResponse {
  statusCode: number;
  body: unknown;
}

/**
 * Limits the size and pauses of response bodies. The SDK reads all bodies into memory, except the content of
 * objects.
 */
function limitBodies(client: S3Client, pauseMs: number): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        const response = result.response as RawResponse;
        if (!(response.body instanceof Readable)) return result;
        const isError = response.statusCode >= 300;
        response.body =
          commandName === 'GetObjectCommand' && !isError
            ? limitPauses(response.body, pauseMs)
            : limitSize(response.body, isError ? MAX_ERROR_BYTES : MAX_RESULT_BYTES);
        return result;
      },
    { name: 'limitBodies', step: 'deserialize', priority: 'low' },
  );
}

/**
 * Writes uploads to S3 in small pieces, each of which restarts the timeout of the socket. TLS sockets show no
 * progress within a piece.
 */
function writeInPieces(client: S3Client): void {
  client.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as { body?: unknown };
      if (!(request.body instanceof Uint8Array)) return next(args);
      const body = Readable.from(splitPieces(request.body), { objectMode: false });
      // Pass a copy on: the request itself keeps its body for further attempts.
      return next({ ...args, request: { ...request, body } });
    },
    { name: 'writeInPieces', step: 'deserialize', priority: 'low' },
  );
}

function* splitPieces(body: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < body.length; start += PIECE_BYTES) {
    yield body.subarray(start, start + PIECE_BYTES);
  }
}

function limitSize(body: Readable, maxBytes: number): Readable {
  const limited = new BoundedStream(
    maxBytes,
    () => new UnexpectedResponseError(`The store sent more than ${maxBytes} bytes of XML.`),
  );
  pipeline(body, limited, () => undefined);
  return limited;
}

/**
 * Limits the pauses of a response body while its reader waits. A timeout of the socket would also end
 * downloads whose reader pauses.
 */
function limitPauses(body: Readable, pauseMs: number): Readable {
  async function* readChunks(): AsyncGenerator<Buffer, void, undefined> {
    const chunks = body.iterator() as AsyncIterator<Buffer, undefined>;
    for (;;) {
      const timer = setTimeout(() => body.destroy(new StorageTimeoutError(pauseMs)), pauseMs);
      const { done, value } = await chunks.next().finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  }
  return Readable.from(readChunks(), { objectMode: false }).once('close', () => body.destroy());
}
