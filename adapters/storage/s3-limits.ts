import { Readable, Transform, pipeline } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { StorageTimeoutError, UnexpectedResponseError } from './object-storage.ts';

/** Bounds on how long, and how much, an object store may send. */
export interface S3Limits {
  /** Maximum time until the response to one attempt begins. */
  attemptMs: number;
  /** Maximum time of a command with all its attempts. The content of an object is not part of it. */
  commandMs: number;
  /** Maximum pause within the content of an object, while the reader waits for it. */
  pauseMs: number;
}

/** A part of 5 MiB takes 30 s at 175 KB/s. */
export const S3_LIMITS: S3Limits = { attemptMs: 30_000, commandMs: 60_000, pauseMs: 60_000 };

const MAX_ERROR_BYTES = 64 * 1024;
/** A list of 1000 objects has up to 1.5 MB. */
const MAX_RESULT_BYTES = 4 * 1024 * 1024;

/** Bounds the time and the responses of all commands of a client, including those of multipart uploads. */
export function limitClient(client: S3Client, { commandMs, pauseMs }: S3Limits): void {
  limitBodies(client, pauseMs);
  limitTime(client, commandMs);
}

type Send = (command: object, options?: { abortSignal?: AbortSignal }) => Promise<unknown>;

function limitTime(client: S3Client, commandMs: number): void {
  const send = client.send.bind(client) as Send;
  const sendInTime: Send = async (command, options = {}) => {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), commandMs);
    const { signal } = deadline;
    const abortSignal = options.abortSignal ? AbortSignal.any([options.abortSignal, signal]) : signal;
    try {
      return await send(command, { ...options, abortSignal });
    } catch (error) {
      throw signal.aborted ? new StorageTimeoutError(commandMs, { cause: error }) : error;
    } finally {
      // Stop the timer before the content of an object is read, which may take longer.
      clearTimeout(timer);
    }
  };
  client.send = sendInTime as typeof client.send;
}

interface RawResponse {
  statusCode: number;
  body: unknown;
}

/** The SDK reads all bodies into memory, except the content of objects. */
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

function limitSize(body: Readable, maxBytes: number): Readable {
  let bytesLeft = maxBytes;
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytesLeft -= chunk.length;
      if (bytesLeft >= 0) done(null, chunk);
      else done(new UnexpectedResponseError(`The store sent more than ${maxBytes} bytes of XML.`));
    },
  });
  pipeline(body, limited, () => undefined);
  return limited;
}

/** A timeout of the socket would also end downloads whose reader pauses. */
function limitPauses(body: Readable, pauseMs: number): Readable {
  async function* read(): AsyncGenerator<Buffer, void, undefined> {
    const chunks = body.iterator() as AsyncIterator<Buffer, undefined>;
    for (;;) {
      const timer = setTimeout(() => body.destroy(new StorageTimeoutError(pauseMs)), pauseMs);
      const { done, value } = await chunks.next().finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  }
  return Readable.from(read(), { objectMode: false }).once('close', () => body.destroy());
}
