import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';

/** Methods of pg's connection that its types lack. */
interface CopyConnection {
  stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/**
 * Size in bytes of the chunks into which a copy joins rows. PostgreSQL sends one message per row, and the
 * next streams spend CPU time on each chunk.
 */
const CHUNK_BYTES = 256 * 1024;

/** Streams the output of a `COPY … TO STDOUT` statement. */
export class CopyOut extends Readable {
  /** Number of copied table rows; known after the end of the stream. */
  rows = 0;
  /** Size in bytes of the table rows that were read so far. */
  sizeBytes = 0;
  readonly #statement: string;
  #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #length = 0;
  #connection: CopyConnection | undefined;

  constructor(client: pg.Client, statement: string) {
    super({ highWaterMark: 2 * CHUNK_BYTES });
    this.#statement = statement;
    client.query(this as unknown as pg.Submittable);
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  /** Closes the database connection if the reader fails, because PostgreSQL would send all remaining rows. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (error) this.#connection?.stream.destroy();
    done(error);
  }

  submit(connection: CopyConnection): void {
    this.#connection = connection;
    connection.query(this.#statement);
  }

  /** Copies the table row into the chunk, because pg reuses its buffer. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#length + chunk.length > this.#chunk.length) this.#flush(chunk.length);
    this.sizeBytes += chunk.length;
    chunk.copy(this.#chunk, this.#length);
    this.#length += chunk.length;
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = parseRowCount(text);
  }

  /** Resumes the connection for the next statement, because an ended stream no longer calls `_read`. */
  handleReadyForQuery(): void {
    this.#flush(0);
    this.#connection?.stream.resume();
    this.push(null);
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  #flush(nextLength: number): void {
    if (this.#length > 0 && !this.push(this.#chunk.subarray(0, this.#length)))
      this.#connection?.stream.pause();
    this.#chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, nextLength));
    this.#length = 0;
  }
}

/**
 * Runs a `COPY … FROM STDIN` statement with a decompressed stream of table rows as its input.
 * @returns the number of rows
 * @throws the error of the source, of the decompression or of the limit, or PostgreSQL's error
 */
export function copyIn(
  client: pg.Client,
  statement: string,
  source: Readable,
  decompression: Transform,
  limit: Transform,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let rows = 0;
    let failure: unknown;
    const submittable = {
      submit: (connection: CopyConnection) => connection.query(statement),
      handleCopyInResponse(connection: CopyConnection): void {
        pipeline(source, decompression, limit, (chunks) => sendChunks(connection, chunks)).then(
          () => connection.endCopyFrom(),
          (error: unknown) => {
            failure = error;
            connection.sendCopyFail('the source failed');
          },
        );
      },
      handleCommandComplete: ({ text }: { text: string }) => void (rows = parseRowCount(text)),
      handleReadyForQuery: () => resolve(rows),
      handleError: (error: Error) => reject((failure ?? error) as Error),
    };
    client.query(submittable as unknown as pg.Submittable);
  });
}

async function sendChunks(connection: CopyConnection, chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) {
    connection.sendCopyFromChunk(chunk);
    if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
  }
}

/** Returns the number of rows in PostgreSQL's command tag, such as `COPY 12`. */
function parseRowCount(tag: string): number {
  return Number(tag.split(' ')[1]);
}
