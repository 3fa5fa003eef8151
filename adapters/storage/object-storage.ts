import type { Readable } from 'node:stream';

export interface StoredObject {
  sizeBytes: number;
  /** SHA-256 of the content in lower-case hex. */
  sha256: string;
}

export interface OpenedObject {
  /** Must be consumed or destroyed. */
  content: Readable;
  sizeBytes: number;
}

/**
 * Storage of originals. Keys are paths of plain segments, such as `<workspace>/<bot>/<document>/1/original`; a prefix
 * is such a path with a slash at its end.
 */
export interface ObjectStorage {
  /**
   * Stores `content` whole or not at all.
   * @throws the error of `content` if it fails
   */
  put(key: string, content: Readable): Promise<StoredObject>;
  /** @throws ObjectMissingError */
  open(key: string): Promise<OpenedObject>;
  /** Does nothing if the object does not exist. */
  delete(key: string): Promise<void>;
  deletePrefix(prefix: string): Promise<void>;
  /** @throws Error if objects can be neither written nor read now */
  check(): Promise<void>;
}

export class ObjectMissingError extends Error {
  constructor(key: string, options: { cause?: unknown } = {}) {
    super(`Storage has no object ${key}.`, options);
    this.name = 'ObjectMissingError';
  }
}

const MAX_KEY_LENGTH = 512;
const keyPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** @throws Error if the key could mean anything but one object below the storage's root */
export function assertKey(key: string): void {
  if (key.length > MAX_KEY_LENGTH || !keyPattern.test(key)) {
    throw new Error(`${JSON.stringify(key.slice(0, 100))} cannot be a storage key.`);
  }
}

export function assertPrefix(prefix: string): void {
  if (!prefix.endsWith('/')) throw new Error('A storage prefix ends with a slash.');
  assertKey(prefix.slice(0, -1));
}
