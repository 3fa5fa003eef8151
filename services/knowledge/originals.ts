import type { Readable } from 'node:stream';
import {
  ObjectMissingError,
  type OpenedObject,
  type StoredObject,
} from '../../adapters/storage/object-storage.ts';
import { verifyContent } from '../../adapters/storage/verified-content.ts';
import type { ContentKey } from '../../database/content-keys.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Document } from '../../entities/knowledge/document.entity.ts';
import type {
  DocumentWithOriginal,
  OriginalRepository,
} from '../../repositories/knowledge/original.repository.ts';
import type { ContentFiles, StoredFile } from '../encryption/content-files.ts';

/** Columns of a document's stored original file. Size and digest are those of the unencrypted content. */
export type StoredOriginal = StoredObject & Pick<StoredFile, 'storageKey' | 'keyId'>;

/** Columns of a document that describe its original file. */
export type DocumentOriginal = Omit<DocumentWithOriginal, 'botId'> & Pick<Document, 'fetched'>;

/** Stores and reads the original files from which documents are indexed. */
export class Originals {
  readonly #files: ContentFiles;
  readonly #rows: OriginalRepository;

  constructor(files: ContentFiles, rows: OriginalRepository) {
    this.#files = files;
    this.#rows = rows;
  }

  /**
   * Loads the workspace's encryption key in advance, for storing the next original file.
   * @throws AppError `key_unavailable`
   */
  async prepare(orgId: string): Promise<void> {
    await this.#files.currentKey(orgId);
  }

  /** @throws AppError `key_unavailable`, or the error of the stream `content` */
  async put(orgId: string, storageKey: string, content: Readable): Promise<StoredOriginal> {
    return this.putWith(await this.#files.currentKey(orgId), storageKey, content);
  }

  /** @param key encryption key for the file; null to store it unencrypted */
  async putWith(key: ContentKey | null, name: string, content: Readable): Promise<StoredOriginal> {
    const storageKey = key === null ? name : `${name}.${key.id}`;
    return { ...(await this.#files.put(key, storageKey, content)), storageKey, keyId: key?.id ?? null };
  }

  /**
   * Opens the original file of a document, which must have the size and digest in the document's row. If the
   * original is missing or changed, the next refresh stores it again.
   * @throws AppError `key_unavailable`, ObjectMissingError, ObjectChangedError
   */
  async open(scope: OrgScope, document: DocumentOriginal): Promise<OpenedObject> {
    const { storageKey, sizeBytes, fetched } = document;
    const forget = () => this.#rows.forgetIndexed(scope, document);
    try {
      const expected = { sizeBytes, sha256: fetched?.sha256 ?? null };
      return await verifyContent(storageKey, await this.#files.open(document), expected, forget);
    } catch (error) {
      if (error instanceof ObjectMissingError) await forget();
      throw error;
    }
  }

  /**
   * Opens a document's original file for conversion to another encryption. It must have the size in its row.
   * Readers verify its digest.
   * @throws AppError `key_unavailable`, ObjectMissingError, ObjectChangedError
   */
  async openForReseal({ sizeBytes, ...file }: DocumentWithOriginal): Promise<OpenedObject> {
    return verifyContent(file.storageKey, await this.#files.open(file), { sizeBytes, sha256: null });
  }

  delete(storageKey: string): Promise<void> {
    return this.#files.delete(storageKey);
  }
}
