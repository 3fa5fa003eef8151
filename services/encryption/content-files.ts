import { pipeline, type Readable, type Transform } from 'node:stream';
import { computePlainSize } from '../../adapters/keys/sealed-file.ts';
import { MeasuringStream } from '../../adapters/storage/measuring-stream.ts';
import type { ObjectStorage, OpenedObject, StoredObject } from '../../adapters/storage/object-storage.ts';
import type { ContentKey } from '../../database/content-keys.ts';
import type { WorkspaceContentKeys } from './workspace-content-keys.ts';

/** A stored file that may be encrypted, as its database row describes it. */
export interface StoredFile {
  orgId: string;
  storageKey: string;
  /** Id of the data key that encrypts the file; null for an unencrypted file. */
  keyId: string | null;
}

export interface ContentFilesDeps {
  storage: ObjectStorage;
  contentKeys: Pick<
    WorkspaceContentKeys,
    'getCurrentKey' | 'prepareKey' | 'requireCachedKey' | 'mayBePlainFile' | 'reportRefusal'
  >;
}

/**
 * Stores and reads files with content of workspaces. If a workspace encrypts its content, its files are
 * encrypted when stored and decrypted when read.
 */
export class ContentFiles {
  readonly #deps: ContentFilesDeps;

  constructor(deps: ContentFilesDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the encryption key for a workspace's new files; null if new files are not encrypted.
   * @throws AppError `key_unavailable`
   */
  currentKey(orgId: string): Promise<ContentKey | null> {
    return this.#deps.contentKeys.getCurrentKey(orgId);
  }

  /**
   * Stores a file. Returns the size and digest of its unencrypted content. An encrypted file can be decrypted
   * only under the same storage key. The storage key should contain the encryption key's id, so that a copy
   * with another key gets a different storage key.
   * @throws the error of `content`
   */
  async put(key: ContentKey | null, storageKey: string, content: Readable): Promise<StoredObject> {
    const { storage } = this.#deps;
    if (key === null) return storage.put(storageKey, content);
    const measured = new MeasuringStream();
    await storage.put(storageKey, pipeThrough(content, [measured, key.sealFile(storageKey)]));
    return measured.getResult();
  }

  /**
   * Opens a file and decrypts it if necessary.
   * @throws AppError `key_unavailable`
   * @throws ObjectMissingError if the file does not exist
   * @throws Error if the file is unencrypted although all content of its workspace is sealed
   */
  async open({ orgId, storageKey, keyId }: StoredFile): Promise<OpenedObject> {
    const { storage, contentKeys } = this.#deps;
    if (keyId === null) {
      await this.#assertPlainAllowed(orgId, storageKey);
      return storage.open(storageKey);
    }
    await contentKeys.prepareKey(orgId, keyId);
    const key = contentKeys.requireCachedKey(orgId, keyId);
    const { content, sizeBytes } = await storage.open(storageKey);
    return {
      content: pipeThrough(content, [key.openFile(storageKey)]),
      sizeBytes: sizeBytes === undefined ? undefined : computePlainSize(sizeBytes),
    };
  }

  /**
   * Copies a file to another storage key, encrypted with another encryption key.
   * @throws the errors of `open`
   */
  async copy(file: StoredFile, key: ContentKey | null, storageKey: string): Promise<StoredObject> {
    const { content } = await this.open(file);
    return this.put(key, storageKey, content);
  }

  /**
   * Checks that the workspace may have unencrypted files; throws if it may not.
   * @throws Error if all its content is sealed
   */
  async #assertPlainAllowed(orgId: string, storageKey: string): Promise<void> {
    const { contentKeys } = this.#deps;
    if (await contentKeys.mayBePlainFile(orgId)) return;
    const reason = new Error(
      `The file ${storageKey} is not sealed, although all content of its workspace is sealed: Parley did not write the file.`,
    );
    contentKeys.reportRefusal(reason);
    throw reason;
  }

  delete(storageKey: string): Promise<void> {
    return this.#deps.storage.delete(storageKey);
  }

  deletePrefix(prefix: string): Promise<void> {
    return this.#deps.storage.deletePrefix(prefix);
  }
}

/**
 * Connects the streams and returns the last stream. If any stream fails, the last stream fails. Destroying
 * the last stream destroys all streams.
 */
function pipeThrough(content: Readable, through: readonly Transform[]): Readable {
  pipeline([content, ...through], () => undefined);
  return through.at(-1)!;
}
