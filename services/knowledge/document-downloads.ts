import type { Readable } from 'node:stream';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { ObjectMissingError } from '../../adapters/storage/object-storage.ts';
import type { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors/errors.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { DocumentRepository } from '../../repositories/knowledge/document.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { ScopedRepository } from '../../database/scoped.repository.ts';
import { buildOriginalName } from './document-title.ts';
import type { Originals } from './originals.ts';
import type { DocumentService } from './document-service.ts';

/** Payload of the token in a document's download link. */
interface FileLink {
  org_id: string;
  document_id: string;
  /** Expiry of the download link, in milliseconds since the epoch. */
  expires_at: number;
}

export interface DownloadLink {
  url: string;
  expiresInSeconds: number;
  filename: string;
  mimeType: string | null;
}

export interface DownloadedFile {
  /** The file's content. Callers must read or destroy this stream, since it holds a connection to storage. */
  content: Readable;
  /** Size of the file in bytes; undefined if the file storage does not state it. */
  sizeBytes: number | undefined;
  filename: string;
  mimeType: string | null;
}

export interface DocumentDownloadsDeps {
  bots: ScopedRepository<Bot>;
  documents: DocumentRepository;
  documentService: DocumentService;
  originals: Originals;
  keyring: Keyring;
  clock: Clock;
  settings: Pick<Settings, 'baseUrl' | 'fileLinkSeconds'>;
}

/**
 * Creates links that download documents' original files without further credentials, and serves the
 * downloads.
 */
export class DocumentDownloads {
  readonly #deps: DocumentDownloadsDeps;

  constructor(deps: DocumentDownloadsDeps) {
    this.#deps = deps;
  }

  /** @throws AppError `not_found` if the document has no original file, or the file is not fetched yet */
  async link(scope: OrgScope, botId: string, documentId: string): Promise<DownloadLink> {
    const { documentService, keyring, clock, settings } = this.#deps;
    const { baseUrl, fileLinkSeconds: expiresInSeconds } = settings;
    const document = await documentService.get(scope, botId, documentId);
    if (document.storageKey === null) {
      throw new AppError('not_found', 'There is no original of this document to download.');
    }
    const token = keyring.sign('file-link', {
      org_id: scope.orgId,
      document_id: document.id,
      expires_at: clock.now().getTime() + expiresInSeconds * 1000,
    } satisfies FileLink);
    return {
      url: `${baseUrl}/api/files/${token}`,
      expiresInSeconds,
      filename: buildOriginalName(document),
      mimeType: document.mimeType,
    };
  }

  /**
   * Opens the original file of the document that a link's token names.
   * @throws AppError `not_found` if the token is invalid or expired, or its file no longer exists;
   *   `key_unavailable` if the key that decrypts the file cannot be used now
   */
  async open(db: Database, token: string): Promise<DownloadedFile> {
    const { keyring, clock } = this.#deps;
    const link = keyring.verify<FileLink>('file-link', token);
    if (!link || link.expires_at <= clock.now().getTime()) throw createInvalidLinkError();
    return this.#openOriginal({ orgId: link.org_id, db }, link.document_id);
  }

  /**
   * Opens the original.
   * @param goneKey storage key for which the previous attempt found no file
   */
  async #openOriginal(scope: OrgScope, documentId: string, goneKey?: string): Promise<DownloadedFile> {
    const { bots, documents, originals } = this.#deps;
    const document = await documents.find(scope, documentId);
    if (!document?.storageKey || !(await bots.find(scope, document.botId))) throw createInvalidLinkError();
    const { storageKey } = document;
    try {
      const opened = await originals.open(scope, { ...document, storageKey });
      return { ...opened, filename: buildOriginalName(document), mimeType: document.mimeType };
    } catch (error) {
      if (!(error instanceof ObjectMissingError)) throw error;
      if (storageKey === goneKey) throw createInvalidLinkError(error);
      // Re-encryption or a newer revision has replaced the file since the row was read, so retry with the
      // current row.
      return this.#openOriginal(scope, documentId, storageKey);
    }
  }
}

export function createInvalidLinkError(cause?: unknown): AppError {
  return new AppError('not_found', 'The link is not valid or has expired; request a new one.', { cause });
}
