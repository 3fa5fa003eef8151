import type { Transform } from 'node:stream';
import type { DataSource } from 'typeorm';

/** Encrypts texts and files with authentication. Each value is bound to one place and decrypts only there. */
export interface ContentKey {
  readonly id: string;
  /** @param place `table.column:row` */
  seal(text: string, place: string): string;
  /** @throws Error if the text was encrypted for another place or was changed */
  open(sealed: string, place: string): string;
  /** Encrypts a file as a stream. */
  sealFile(place: string): Transform;
  /** Decrypts a file as a stream. Fails if the file was changed, truncated or encrypted for another place. */
  openFile(place: string): Transform;
}

/** Computes keyed digests of words: equal for equal words, and not reversible. */
export interface ContentMarker {
  readonly id: string;
  digestWord(word: string): string;
}

/** The keys of workspaces that encrypt their content. */
export interface ContentKeys {
  /**
   * Returns the key that new content is encrypted with; null for plain text. The result may be a few seconds old.
   * @throws AppError `key_unavailable`
   */
  getCurrentKey(orgId: string): Promise<ContentKey | null>;
  /**
   * Returns the marker for digests that are compared for years; null if words stay plain text.
   * @throws AppError `key_unavailable`
   */
  getMarker(orgId: string): Promise<ContentMarker | null>;
  /** Tries to load a key, and leaves failures to `requireOpenKey`. Undefined if there is nothing to wait for. */
  prepareKey(orgId: string, keyId: string): Promise<void> | undefined;
  isKeyOpen(orgId: string, keyId: string): boolean;
  /**
   * True if plain content of the workspace is genuine. It is not once the workspace has encrypted all of its content.
   * Returns a promise if this has to be read.
   */
  mayBeReadable(orgId: string): true | Promise<boolean>;
  /** Logs and counts plain content that was refused. */
  reportRefusal(reason: Error): void;
  /**
   * Returns a loaded key.
   * @throws AppError `key_unavailable`
   * @throws Error if the workspace has no such key
   */
  requireOpenKey(orgId: string, keyId: string): ContentKey;
}

/** Used by programs that never read or write content. */
const NO_CONTENT_KEYS: ContentKeys = {
  getCurrentKey: () => Promise.resolve(null),
  getMarker: () => Promise.resolve(null),
  prepareKey: () => undefined,
  isKeyOpen: () => false,
  mayBeReadable: () => true,
  reportRefusal: () => undefined,
  requireOpenKey: () => {
    throw new Error('This program cannot decrypt content.');
  },
};

const keysByDataSource = new WeakMap<DataSource, ContentKeys>();

/** Makes repositories of this data source encrypt and decrypt with these keys. */
export function attachContentKeys(dataSource: DataSource, keys: ContentKeys): void {
  keysByDataSource.set(dataSource, keys);
}

export function getContentKeys(dataSource: DataSource): ContentKeys {
  return keysByDataSource.get(dataSource) ?? NO_CONTENT_KEYS;
}
