import { pipeline, type Readable, type Transform } from 'node:stream';
import { openedBytes } from '../../adapters/keys/sealed-file.ts';
import { MeasuringStream } from '../../adapters/storage/measuring-stream.ts';
import type { ObjectStorage, OpenedObject, StoredObject } from '../../adapters/storage/object-storage.ts';
import type { ContentKey, ContentKeys } from '../../database/content-keys.ts';
import type { Document } from '../../entities/knowledge/document.entity.ts';

/** A document whose original is there. */
export type StoredOriginal = Pick<Document, 'orgId' | 'keyId'> & { storageKey: string };

/** What a row says of its original; size and digest are those of what was given. */
export type PutOriginal = StoredObject & Pick<StoredOriginal, 'storageKey' | 'keyId'>;

export interface OriginalsDeps {
  storage: ObjectStorage;
  contentKeys: Pick<ContentKeys, 'current' | 'prepare' | 'opened'>;
}

/** The files that documents were made of: sealed while they are stored, in workspaces that seal their content, and opened while they are read. */
export class Originals {
  readonly #deps: OriginalsDeps;

  constructor(deps: OriginalsDeps) {
    this.#deps = deps;
  }

  /** Has the key at hand that the next one is sealed with. @throws AppError `key_unavailable` */
  async prepare(orgId: string): Promise<void> {
    await this.#deps.contentKeys.current(orgId);
  }

  /** @throws AppError `key_unavailable`, and what `content` fails with */
  async put(orgId: string, storageKey: string, content: Readable): Promise<PutOriginal> {
    return this.putWith(await this.#deps.contentKeys.current(orgId), storageKey, content);
  }

  /** @param key null: the file stays readable */
  async putWith(key: ContentKey | null, storageKey: string, content: Readable): Promise<PutOriginal> {
    const { storage } = this.#deps;
    if (key === null) return { ...(await storage.put(storageKey, content)), storageKey, keyId: null };
    // A file that takes its place has another name where it has another key: the row tells which of them it means.
    const sealedAt = `${storageKey}.${key.id}`;
    const measured = new MeasuringStream();
    await storage.put(sealedAt, piped(content, [measured, key.sealFile(sealedAt)]));
    return { ...measured.result(), storageKey: sealedAt, keyId: key.id };
  }

  /** @throws AppError `key_unavailable`, ObjectMissingError */
  async open({ orgId, storageKey, keyId }: StoredOriginal): Promise<OpenedObject> {
    const { storage, contentKeys } = this.#deps;
    if (keyId === null) return storage.open(storageKey);
    await contentKeys.prepare(orgId, keyId);
    const key = contentKeys.opened(orgId, keyId);
    const { content, sizeBytes } = await storage.open(storageKey);
    return { content: piped(content, [key.openFile(storageKey)]), sizeBytes: openedBytes(sizeBytes) };
  }

  delete(storageKey: string): Promise<void> {
    return this.#deps.storage.delete(storageKey);
  }
}

/** What comes out at the end: it fails where any of them does, and takes them along when it is given up. */
function piped(content: Readable, through: readonly Transform[]): Readable {
  pipeline([content, ...through], () => undefined);
  return through.at(-1)!;
}
