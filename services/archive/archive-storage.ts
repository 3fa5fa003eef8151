import { Readable } from 'node:stream';
import { SealedFileDamaged } from '../../adapters/keys/sealed-file.ts';
import { ObjectMissingError } from '../../adapters/storage/object-storage.ts';
import { AppError } from '../../core/errors/errors.ts';
import type { ContentKey } from '../../database/content-keys.ts';
import type { ContentFiles, StoredFile } from '../encryption/content-files.ts';

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
  readonly #files: ContentFiles;

  constructor(files: ContentFiles) {
    this.#files = files;
  }

  /** @throws AppError `key_unavailable` */
  currentKey(orgId: string): Promise<ContentKey | null> {
    return this.#files.currentKey(orgId);
  }

  /** Returns how large it is once it is opened. @throws StorageUnavailable, as all that follow do */
  async put(
    key: ContentKey | null,
    storageKey: string,
    content: Iterable<Buffer> | AsyncIterable<Buffer>,
  ): Promise<number> {
    const { sizeBytes } = await known(this.#files.put(key, storageKey, Readable.from(content)));
    return sizeBytes;
  }

  /** @throws AppError `key_unavailable`, ObjectMissingError */
  async open(file: StoredFile): Promise<Readable> {
    const { content } = await known(this.#files.open(file));
    return Readable.from(splitText(content)).once('close', () => content.destroy());
  }

  delete(storageKey: string): Promise<void> {
    return known(this.#files.delete(storageKey));
  }

  deletePrefix(prefix: string): Promise<void> {
    return known(this.#files.deletePrefix(prefix));
  }
}

async function* splitText(content: Readable): AsyncGenerator<Buffer, void, undefined> {
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
  if (error instanceof SealedFileDamaged)
    return new AppError('conflict', 'A file of the archive was changed in the storage; start again.', {
      cause: error,
    });
  const isKnown = [StorageUnavailable, AppError, ObjectMissingError].some((known) => error instanceof known);
  return isKnown ? (error as Error) : new StorageUnavailable(error);
}
