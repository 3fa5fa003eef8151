import { Readable } from 'node:stream';
import { ObjectMissingError, type ObjectStorage } from '../../adapters/storage/object-storage.ts';
import { AppError } from '../../core/errors/errors.ts';

/** The storage of files cannot be used at this moment; the message is written for people. */
export class StorageUnavailable extends Error {
  constructor(cause: unknown) {
    const isFull = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
    super(isFull ? 'The storage of files has no room left.' : 'The storage of files could not be reached.', {
      cause,
    });
    this.name = 'StorageUnavailable';
  }
}

/** The storage of files for work that waits until it is back. */
export class ArchiveStorage {
  readonly #storage: ObjectStorage;

  constructor(storage: ObjectStorage) {
    this.#storage = storage;
  }

  /** @throws StorageUnavailable, as all do */
  async put(key: string, content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<number> {
    const { sizeBytes } = await known(this.#storage.put(key, Readable.from(content)));
    return sizeBytes;
  }

  /** @throws AppError `conflict` where there is no such file any more */
  async open(key: string): Promise<Readable> {
    const { content } = await known(this.#storage.open(key));
    return Readable.from(piecesOf(content)).once('close', () => content.destroy());
  }

  delete(key: string): Promise<void> {
    return known(this.#storage.delete(key));
  }

  deletePrefix(prefix: string): Promise<void> {
    return known(this.#storage.deletePrefix(prefix));
  }
}

async function* piecesOf(content: Readable): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const piece of content) yield piece as Buffer;
  } catch (error) {
    throw failureOf(error);
  }
}

async function known<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw failureOf(error);
  }
}

function failureOf(error: unknown): Error {
  if (error instanceof StorageUnavailable || error instanceof AppError) return error;
  if (error instanceof ObjectMissingError)
    return new AppError(
      'conflict',
      'A file of the archive is missing in the storage of files; start again.',
      {
        cause: error,
      },
    );
  return new StorageUnavailable(error);
}
