import { pipeline, type Readable, type Transform } from 'node:stream';
import { computePlainSize } from '../../adapters/keys/sealed-file.ts';
import { MeasuringStream } from '../../adapters/storage/measuring-stream.ts';
import type { ObjectStorage, OpenedObject, StoredObject } from '../../adapters/storage/object-storage.ts';
import type { ContentKey } from '../../database/content-keys.ts';
import type { WorkspaceContentKeys } from './workspace-content-keys.ts';

/** A stored file with content, as its database row names it. */
export interface StoredFile {
  orgId: string;
  storageKey: string;
  /** Id of the data key that the file is sealed with; null for a readable file. */
  keyId: string | null;
}

export interface ContentFilesDeps {
  storage: ObjectStorage;
  contentKeys: Pick<
    WorkspaceContentKeys,
    'getCurrentKey' | 'prepareKey' | 'requireOpenKey' | 'mayBeReadableFile' | 'reportRefusal'
  >;
}

/**
 * Stores and reads files with content. Files of workspaces that seal their content are encrypted while they are
 * stored and decrypted while they are read.
 */
export class ContentFiles {
  readonly #deps: ContentFilesDeps;

  constructor(deps: ContentFilesDeps) {
    this.#deps = deps;
  }

  /** Returns the key for the next file; null if it stays readable. @throws AppError `key_unavailable` */
  currentKey(orgId: string): Promise<ContentKey | null> {
    return this.#deps.contentKeys.getCurrentKey(orgId);
  }

  /**
   * Stores a file and returns the size and digest of its plain content. A sealed file opens under this storage key
   * only.
   * The storage key should therefore name the data key: a sealed file and its replacement never share a name.
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
   * @throws AppError `key_unavailable`
   * @throws ObjectMissingError if storage does not have the file
   * @throws Error if the file is readable although all content of its workspace is sealed
   */
  async open({ orgId, storageKey, keyId }: StoredFile): Promise<OpenedObject> {
    const { storage, contentKeys } = this.#deps;
    if (keyId === null) {
      await this.#requireReadable(orgId, storageKey);
      return storage.open(storageKey);
    }
    await contentKeys.prepareKey(orgId, keyId);
    const key = contentKeys.requireOpenKey(orgId, keyId);
    const { content, sizeBytes } = await storage.open(storageKey);
    return {
      content: pipeThrough(content, [key.openFile(storageKey)]),
      sizeBytes: computePlainSize(sizeBytes),
    };
  }

  /** Stores the file again under another storage key, sealed with another key. @throws as `open` does */
  async copy(file: StoredFile, key: ContentKey | null, storageKey: string): Promise<StoredObject> {
    const { content } = await this.open(file);
    return this.put(key, storageKey, content);
  }

  /** @throws Error if all content of the workspace is sealed */
  async #requireReadable(orgId: string, storageKey: string): Promise<void> {
    const { contentKeys } = this.#deps;
    if (await contentKeys.mayBeReadableFile(orgId)) return;
    const reason = new Error(
      `The file ${storageKey} is not sealed, although all content of its workspace is: it comes from elsewhere.`,
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

/** Returns the end of the pipeline. It fails if any part fails; destroying it destroys all parts. */
function pipeThrough(content: Readable, through: readonly Transform[]): Readable {
  pipeline([content, ...through], () => undefined);
  return through.at(-1)!;
}
