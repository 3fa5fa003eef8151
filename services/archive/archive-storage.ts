import { Readable } from 'node:stream';
import { SealedFileDamaged } from '../../adapters/keys/sealed-file.ts';
import { ObjectMissingError } from '../../adapters/storage/object-storage.ts';
import { AppError } from '../../core/errors/errors.ts';
import type { ContentKey } from '../../database/content-keys.ts';
import type { ContentFiles, StoredFile } from '../encryption/content-files.ts';

/** Error for unavailable file storage. Its message is shown to users. */
export class StorageUnavailable extends Error {
  constructor(cause: unknown) {
    const isFull = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
    super(isFull ? 'The file storage is full.' : 'The file storage could not be reached.', {
      cause,
    });
    this.name = 'StorageUnavailable';
  }
}

/**
 * File storage for archives. Throws `StorageUnavailable` on a storage failure, so that jobs can wait and
 * retry.
 */
export class ArchiveStorage {
  readonly #files: ContentFiles;

  constructor(files: ContentFiles) {
    this.#files = files;
  }

  /**
   * Returns the encryption key for new files of the workspace; null if the workspace does not encrypt its
   * files.
   * @throws AppError `key_unavailable`
   */
  currentKey(orgId: string): Promise<ContentKey | null> {
    return this.#files.currentKey(orgId);
  }

  /**
   * Stores a file of an archive. Returns its size in bytes before encryption.
   * @throws StorageUnavailable, as do `open`, `delete` and `deletePrefix`
   */
  async put(
    key: ContentKey | null,
    storageKey: string,
    content: Iterable<Buffer> | AsyncIterable<Buffer>,
  ): Promise<number> {
    const { sizeBytes } = await translateErrors(this.#files.put(key, storageKey, Readable.from(content)));
    return sizeBytes;
  }

  /**
   * @throws AppError `key_unavailable`; ObjectMissingError if the archive file does not exist;
   * StorageUnavailable
   */
  async open(file: StoredFile): Promise<Readable> {
    const { content } = await translateErrors(this.#files.open(file));
    return Readable.from(translateStreamErrors(content)).once('close', () => content.destroy());
  }

  delete(storageKey: string): Promise<void> {
    return translateErrors(this.#files.delete(storageKey));
  }

  deletePrefix(prefix: string): Promise<void> {
    return translateErrors(this.#files.deletePrefix(prefix));
  }
}

async function* translateStreamErrors(content: Readable): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of content) yield chunk as Buffer;
  } catch (error) {
    throw toStorageError(error);
  }
}

async function translateErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toStorageError(error);
  }
}

function toStorageError(error: unknown): Error {
  if (error instanceof SealedFileDamaged)
    return new AppError('conflict', 'A file of the archive was changed in the storage; start again.', {
      cause: error,
    });
  const isKnown = [StorageUnavailable, AppError, ObjectMissingError].some((type) => error instanceof type);
  return isKnown ? (error as Error) : new StorageUnavailable(error);
}
