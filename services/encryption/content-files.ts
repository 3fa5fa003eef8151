import { pipeline, type Readable, type Transform } from 'node:stream';
import { openedBytes } from '../../adapters/keys/sealed-file.ts';
import { MeasuringStream } from '../../adapters/storage/measuring-stream.ts';
import type { ObjectStorage, OpenedObject, StoredObject } from '../../adapters/storage/object-storage.ts';
import type { ContentKey } from '../../database/content-keys.ts';
import type { WorkspaceContentKeys } from './workspace-content-keys.ts';

/** A file with content, as a row names it. */
export interface StoredFile {
  orgId: string;
  storageKey: string;
  /** The data key that it is sealed with; null: it is readable. */
  keyId: string | null;
}

export interface ContentFilesDeps {
  storage: ObjectStorage;
  contentKeys: Pick<
    WorkspaceContentKeys,
    'current' | 'prepare' | 'opened' | 'mayBeReadableFile' | 'noteRefused'
  >;
}

/** Files with content: sealed while they are stored, in workspaces that seal their content, and opened while they are read. */
export class ContentFiles {
  readonly #deps: ContentFilesDeps;

  constructor(deps: ContentFilesDeps) {
    this.#deps = deps;
  }

  /** What the next file is sealed with; null where it stays readable. @throws AppError `key_unavailable` */
  currentKey(orgId: string): Promise<ContentKey | null> {
    return this.#deps.contentKeys.current(orgId);
  }

  /**
   * Returns size and digest of what was given. It opens under this name alone, so that the name should tell which key it has: a file
   * that takes another one's place must not be taken for it.
   * @throws what `content` fails with
   */
  async put(key: ContentKey | null, storageKey: string, content: Readable): Promise<StoredObject> {
    const { storage } = this.#deps;
    if (key === null) return storage.put(storageKey, content);
    const measured = new MeasuringStream();
    await storage.put(storageKey, piped(content, [measured, key.sealFile(storageKey)]));
    return measured.result();
  }

  /** @throws AppError `key_unavailable`, ObjectMissingError, Error for a file that is no longer to be readable */
  async open({ orgId, storageKey, keyId }: StoredFile): Promise<OpenedObject> {
    const { storage, contentKeys } = this.#deps;
    if (keyId === null) {
      await this.#requireReadable(orgId, storageKey);
      return storage.open(storageKey);
    }
    await contentKeys.prepare(orgId, keyId);
    const key = contentKeys.opened(orgId, keyId);
    const { content, sizeBytes } = await storage.open(storageKey);
    return { content: piped(content, [key.openFile(storageKey)]), sizeBytes: openedBytes(sizeBytes) };
  }

  /** Stores it once more, with another key and under another name. @throws as `open` does */
  async copy(file: StoredFile, key: ContentKey | null, storageKey: string): Promise<StoredObject> {
    const { content } = await this.open(file);
    return this.put(key, storageKey, content);
  }

  /** @throws Error where all content of the workspace is sealed */
  async #requireReadable(orgId: string, storageKey: string): Promise<void> {
    const { contentKeys } = this.#deps;
    if (await contentKeys.mayBeReadableFile(orgId)) return;
    const reason = new Error(
      `The file ${storageKey} is not sealed, although all content of its workspace is: it comes from elsewhere.`,
    );
    contentKeys.noteRefused(reason);
    throw reason;
  }

  delete(storageKey: string): Promise<void> {
    return this.#deps.storage.delete(storageKey);
  }

  deletePrefix(prefix: string): Promise<void> {
    return this.#deps.storage.deletePrefix(prefix);
  }
}

/** What comes out at the end: it fails where any of them does, and takes them along when it is given up. */
function piped(content: Readable, through: readonly Transform[]): Readable {
  pipeline([content, ...through], () => undefined);
  return through.at(-1)!;
}
