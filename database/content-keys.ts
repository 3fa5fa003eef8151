import type { Transform } from 'node:stream';
import type { DataSource } from 'typeorm';

/**
 * A data key that encrypts texts and files, and authenticates them. Each value is bound to its table, column
 * and row, and cannot be decrypted in any other context.
 */
export interface ContentKey {
  readonly id: string;
  /** @param context location at which the text is stored, as `table.column:row` */
  seal(text: string, context: string): string;
  /** @throws Error if the text was changed, or encrypted in another context */
  open(sealed: string, context: string): string;
  /** Encrypts a file's content as a stream. */
  sealFile(context: string): Transform;
  /**
   * Decrypts a file's content as a stream. Fails if the file was changed, truncated or encrypted in another
   * context.
   */
  openFile(context: string): Transform;
}

/**
 * Computes keyed digests of words in encrypted content, so that it can be searched. Equal words have equal
 * digests, and a digest does not reveal its word.
 */
export interface ContentMarker {
  readonly id: string;
  digestWord(word: string): string;
}

/** Provides the data keys of workspaces that encrypt their content. */
export interface ContentKeys {
  /**
   * Returns the key that encrypts a workspace's new content; null if the workspace stores plain text. The
   * result is cached for a few seconds.
   * @throws AppError `key_unavailable`
   */
  getCurrentKey(orgId: string): Promise<ContentKey | null>;
  /**
   * Returns the same key as `getCurrentKey` without calling a key service; undefined if the key is not
   * cached.
   */
  peekCurrentKey(orgId: string): Promise<ContentKey | null | undefined>;
  /**
   * Returns the marker that replaces the words of a workspace's content by digests; null if the workspace
   * stores words as plain text. The marker's key stays the same for years, so that digests remain comparable.
   * @throws AppError `key_unavailable`
   */
  getMarker(orgId: string): Promise<ContentMarker | null>;
  /**
   * Loads a workspace's key into the cache. Ignores failures, which `requireCachedKey` reports later. Returns
   * undefined if the key is already cached, or known to be missing.
   */
  prepareKey(orgId: string, keyId: string): Promise<void> | undefined;
  isKeyOpen(orgId: string, keyId: string): boolean;
  /**
   * Returns true if the cache says that the workspace accepts plain content, so that no query is necessary.
   */
  isKnownToAcceptPlain(orgId: string): boolean;
  /**
   * Returns whether plain content of the workspace may be accepted. If the workspace has encrypted all of its
   * content, Parley did not write the plain content. May query the database.
   */
  mayBePlain(orgId: string): Promise<boolean>;
  /** Logs and counts that plain content of a workspace was refused. */
  reportRefusal(reason: Error): void;
  /**
   * Returns a workspace's key that `prepareKey` has loaded.
   * @throws AppError `key_unavailable`
   * @throws Error if the workspace has no such key
   */
  requireCachedKey(orgId: string, keyId: string): ContentKey;
}

/** Stand-in for the keys in programs that neither read nor write content. */
const NO_CONTENT_KEYS: ContentKeys = {
  getCurrentKey: () => Promise.resolve(null),
  peekCurrentKey: () => Promise.resolve(null),
  getMarker: () => Promise.resolve(null),
  prepareKey: () => undefined,
  isKeyOpen: () => false,
  isKnownToAcceptPlain: () => true,
  mayBePlain: () => Promise.resolve(true),
  reportRefusal: () => undefined,
  requireCachedKey: () => {
    throw new Error('This program cannot decrypt content.');
  },
};

const keysByDataSource = new WeakMap<DataSource, ContentKeys>();

/** Sets the keys with which the repositories of this data source encrypt and decrypt content. */
export function attachContentKeys(dataSource: DataSource, keys: ContentKeys): void {
  keysByDataSource.set(dataSource, keys);
}

export function getContentKeys(dataSource: DataSource): ContentKeys {
  return keysByDataSource.get(dataSource) ?? NO_CONTENT_KEYS;
}
