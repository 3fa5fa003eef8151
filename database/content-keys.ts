import type { Transform } from 'node:stream';
import type { DataSource } from 'typeorm';

/**
 * A data key that encrypts texts and files, and authenticates them. Each value is bound to its table, column
 * and row, and does not decrypt in any other place.
 */
export interface ContentKey {
  readonly id: string;
  /** @param place where the text is stored, as `table.column:row` */
  seal(text: string, place: string): string;
  /** @throws Error if the text was changed, or encrypted for another place */
  open(sealed: string, place: string): string;
  /** Encrypts a file as a stream. */
  sealFile(place: string): Transform;
  /** Decrypts a file as a stream. Fails if the file was changed, truncated or encrypted for another place. */
  openFile(place: string): Transform;
}

/** Computes keyed digests of words. Equal words have equal digests, and a digest does not reveal its word. */
export interface ContentMarker {
  readonly id: string;
  digestWord(word: string): string;
}

/** Provides the data keys of workspaces that encrypt their content. */
export interface ContentKeys {
  /**
   * Returns the key for new content; null if the workspace stores plain text. The result is cached for a few
   * seconds.
   * @throws AppError `key_unavailable`
   */
  getCurrentKey(orgId: string): Promise<ContentKey | null>;
  /** Like `getCurrentKey`, but returns undefined for a key that is not open, and calls no key service. */
  peekCurrentKey(orgId: string): Promise<ContentKey | null | undefined>;
  /**
   * Returns the marker with which words are replaced by digests; null if the workspace stores words as plain
   * text. The marker's key stays the same for years, so that digests remain comparable.
   * @throws AppError `key_unavailable`
   */
  getMarker(orgId: string): Promise<ContentMarker | null>;
  /**
   * Loads a key into the cache. Ignores failures, which `requireOpenKey` reports later. Returns undefined if
   * the key is already open, or known to be missing.
   */
  prepareKey(orgId: string, keyId: string): Promise<void> | undefined;
  isKeyOpen(orgId: string, keyId: string): boolean;
  /** True if the workspace accepts plain content, as far as this is known without a query. */
  isKnownToAcceptPlain(orgId: string): boolean;
  /**
   * Returns whether plain content of the workspace may be accepted. If the workspace has encrypted all of its
   * content, Parley did not write the plain content. May query the database.
   */
  mayBePlain(orgId: string): Promise<boolean>;
  /** Logs and counts a refusal of plain content. */
  reportRefusal(reason: Error): void;
  /**
   * Returns a key that `prepareKey` has loaded.
   * @throws AppError `key_unavailable`
   * @throws Error if the workspace has no such key
   */
  requireOpenKey(orgId: string, keyId: string): ContentKey;
}

/** Used in programs that neither read nor write content. */
const NO_CONTENT_KEYS: ContentKeys = {
  getCurrentKey: () => Promise.resolve(null),
  peekCurrentKey: () => Promise.resolve(null),
  getMarker: () => Promise.resolve(null),
  prepareKey: () => undefined,
  isKeyOpen: () => false,
  isKnownToAcceptPlain: () => true,
  mayBePlain: () => Promise.resolve(true),
  reportRefusal: () => undefined,
  requireOpenKey: () => {
    throw new Error('This program cannot decrypt content.');
  },
};

const keysByDataSource = new WeakMap<DataSource, ContentKeys>();

/** Sets the keys with which the repositories of this data source encrypt and decrypt. */
export function attachContentKeys(dataSource: DataSource, keys: ContentKeys): void {
  keysByDataSource.set(dataSource, keys);
}

export function getContentKeys(dataSource: DataSource): ContentKeys {
  return keysByDataSource.get(dataSource) ?? NO_CONTENT_KEYS;
}
