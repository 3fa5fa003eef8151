import type { Readable } from 'node:stream';

export interface StoredObject {
  sizeBytes: number;
  /** SHA-256 digest of the stored content in lower-case hex. */
  sha256: string;
}

export interface OpenedObject {
  /** Stream of the stored content, which the caller must consume or destroy. */
  content: Readable;
  /** Size of the content in bytes; undefined if the storage does not send it. */
  sizeBytes: number | undefined;
}

/**
 * Storage of uploaded and generated files. A key is a path such as `<workspace>/<bot>/<document>/1/original`.
 * A prefix is such a path with a slash at its end.
 */
export interface ObjectStorage {
  /**
   * Stores a file (object) completely or not at all.
   * @throws the error of `content` if reading it fails
   */
  put(key: string, content: Readable): Promise<StoredObject>;
  /**
   * Opens a stored file for reading.
   * @throws ObjectMissingError
   */
  open(key: string): Promise<OpenedObject>;
  /** Deletes a stored file. Does nothing if it does not exist. */
  delete(key: string): Promise<void>;
  deletePrefix(prefix: string): Promise<void>;
  /**
   * Checks that the file storage is available now.
   * @throws Error if it is not available
   */
  check(): Promise<void>;
}

export class ObjectMissingError extends Error {
  constructor(key: string, options: { cause?: unknown } = {}) {
    super(`Storage has no object ${key}.`, options);
    this.name = 'ObjectMissingError';
  }
}

/** Thrown if the file storage did not respond in time. */
export class StorageTimeoutError extends Error {
  constructor(limitMs: number, options: { cause?: unknown } = {}) {
    super(`The file store did not respond within ${limitMs} ms.`, options);
    this.name = 'StorageTimeoutError';
  }
}

/** Thrown if the file storage sent a response that no storage should send. */
export class UnexpectedResponseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnexpectedResponseError';
  }
}

/** Thrown if a stored file is not the file that its database row describes. */
export class ObjectChangedError extends Error {
  constructor(key: string, difference: string) {
    super(`The object ${key} was changed in storage: ${difference}.`);
    this.name = 'ObjectChangedError';
  }
}

const MAX_KEY_LENGTH = 512;
const keyPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/**
 * Checks the key (path) of a stored file.
 * @throws Error unless the key denotes exactly one object below the storage's root
 */
export function assertKey(key: string): void {
  if (key.length > MAX_KEY_LENGTH || !keyPattern.test(key)) {
    throw new Error(`${JSON.stringify(key.slice(0, 100))} cannot be a storage key.`);
  }
}

export function assertPrefix(prefix: string): void {
  if (!prefix.endsWith('/')) throw new Error('A storage prefix must end with a slash.');
  assertKey(prefix.slice(0, -1));
}
