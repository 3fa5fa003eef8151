import type { Readable } from 'node:stream';
import type { OpenedObject, StoredObject } from '../../adapters/storage/object-storage.ts';
import type { ContentKey } from '../../database/content-keys.ts';
import type { ContentFiles, StoredFile } from '../encryption/content-files.ts';

/** What a row says of its original; size and digest are those of what was given. */
export type PutOriginal = StoredObject & Pick<StoredFile, 'storageKey' | 'keyId'>;

/** The files that documents were made of. */
export class Originals {
  readonly #files: ContentFiles;

  constructor(files: ContentFiles) {
    this.#files = files;
  }

  /** Has the key at hand that the next one is sealed with. @throws AppError `key_unavailable` */
  async prepare(orgId: string): Promise<void> {
    await this.#files.currentKey(orgId);
  }

  /** @throws AppError `key_unavailable`, and what `content` fails with */
  async put(orgId: string, storageKey: string, content: Readable): Promise<PutOriginal> {
    return this.putWith(await this.#files.currentKey(orgId), storageKey, content);
  }

  /** @param key null: the file stays readable */
  async putWith(key: ContentKey | null, name: string, content: Readable): Promise<PutOriginal> {
    const storageKey = key === null ? name : `${name}.${key.id}`;
    return { ...(await this.#files.put(key, storageKey, content)), storageKey, keyId: key?.id ?? null };
  }

  /** @throws AppError `key_unavailable`, ObjectMissingError */
  open(original: StoredFile): Promise<OpenedObject> {
    return this.#files.open(original);
  }

  delete(storageKey: string): Promise<void> {
    return this.#files.delete(storageKey);
  }
}
