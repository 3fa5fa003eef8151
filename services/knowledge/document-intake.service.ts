import { Readable } from 'node:stream';
import { detectType, mimeTypes, type DocumentType } from '../../adapters/extraction/detect-type.ts';
import type { OutboundClient } from '../../adapters/http/outbound-client.ts';
import { safeFilename } from '../../adapters/storage/filename.ts';
import type { ObjectStorage } from '../../adapters/storage/object-storage.ts';
import { invalidField } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Logger } from '../../core/logger.ts';
import type { Bot } from '../../entities/bot.entity.ts';
import type { Document } from '../../entities/document.entity.ts';
import type { DocumentRepository } from '../../repositories/document.repository.ts';
import { inTransaction, type OrgScope } from '../../repositories/org-scope.ts';
import type { ScopedRepository } from '../../repositories/scoped.repository.ts';
import type { OutboxService } from '../outbox.service.ts';
import { indexingCommand } from './document-commands.ts';
import { firstWords } from './document-title.ts';
import { drain, readHead } from './read-head.ts';
import { originalKey } from './storage-keys.ts';

export interface DocumentInput {
  source_type: 'url' | 'raw_text' | 'sitemap';
  url?: string | null;
  raw_text?: string | null;
  title?: string;
  tags?: string[];
  max_pages?: number;
}

/** A file on its way in, and the text fields beside it, known once the file has been read. */
export interface DocumentUpload {
  file: { filename: string; declaredType: string; content: Readable };
  fields(): Promise<{ title?: string }>;
}

export interface DocumentIntakeDeps {
  bots: ScopedRepository<Bot>;
  documents: DocumentRepository;
  outbox: OutboxService;
  outbound: OutboundClient;
  storage: ObjectStorage;
  log: Logger;
}

type NewDocument = Pick<Document, 'id' | 'botId' | 'sourceType'> & Partial<Document>;

/** Telling a DOCX from other ZIP archives takes this much of it at most. */
const TYPE_BYTES = 1024 * 1024;
const FIRST_REVISION = 1;

/** How documents come in. Originals are stored before their rows, so that a row never points to nothing. */
export class DocumentIntake {
  readonly #deps: DocumentIntakeDeps;

  constructor(deps: DocumentIntakeDeps) {
    this.#deps = deps;
  }

  /**
   * Waits for the name server, so it is no part of a transaction.
   * @throws AppError `validation_error` for fields that do not belong to the source type, `url_refused`
   */
  async checkSource(scope: OrgScope, botId: string, input: DocumentInput): Promise<void> {
    const url = requireSource(input);
    await this.#deps.bots.get(scope, botId);
    if (url !== null) await this.#deps.outbound.checkUrl(url);
  }

  /** @param input one that `checkSource` let pass */
  async create(scope: OrgScope, botId: string, input: DocumentInput): Promise<Document> {
    const { source_type: sourceType, raw_text: text, url = null, tags = [], max_pages: maxPages } = input;
    const title = input.title?.trim() || firstWords(text ?? '');
    const document = { id: newId(), botId, sourceType, title, tags, ...(maxPages && { maxPages }) };
    if (!text) return this.#register(scope, { ...document, sourceUrl: url });
    const original = { ...document, mimeType: mimeTypes.markdown };
    return this.#store(scope, original, Readable.from([Buffer.from(text)]), async () => ({}));
  }

  /**
   * Stores the file while it arrives.
   * @throws AppError `unsupported_media_type`, `validation_error` for an empty file, and what the upload fails with
   */
  async upload(scope: OrgScope, botId: string, { file, fields }: DocumentUpload): Promise<Document> {
    const filename = safeFilename(file.filename);
    const { head, content } = await readHead(file.content, TYPE_BYTES);
    let type: DocumentType;
    try {
      await this.#deps.bots.get(scope, botId);
      type = detectType(head, { filename, mimeType: file.declaredType });
    } catch (error) {
      // A client that is still sending would lose the answer together with its connection.
      await drain(content);
      throw error;
    }
    const document = { id: newId(), botId, sourceType: 'file', filename, mimeType: mimeTypes[type] } as const;
    return this.#store(scope, document, content, async () => {
      const { title = '' } = await fields();
      return { title: title.trim() };
    });
  }

  /** @param complete what is known only after `content` has been read */
  async #store(
    scope: OrgScope,
    document: NewDocument,
    content: Readable,
    complete: () => Promise<Partial<Document>>,
  ): Promise<Document> {
    const { storage, log } = this.#deps;
    const place = { orgId: scope.orgId, botId: document.botId, documentId: document.id, parentId: null };
    const storageKey = originalKey(place, FIRST_REVISION);
    const { sizeBytes } = await storage.put(storageKey, content);
    try {
      return await this.#register(scope, { ...document, ...(await complete()), storageKey, sizeBytes });
    } catch (error) {
      await storage.delete(storageKey).catch((failure: unknown) => {
        log.error({ err: failure, storageKey }, 'an original without a document was not removed');
      });
      throw error;
    }
  }

  /** The row and the command that indexes it, both or none. */
  #register(scope: OrgScope, document: NewDocument): Promise<Document> {
    const { bots, documents, outbox } = this.#deps;
    return inTransaction(scope, async (inside) => {
      await bots.getForShare(inside, document.botId);
      await documents.insert(inside, { ...document, revision: FIRST_REVISION });
      const registered = await documents.get(inside, document.id);
      await outbox.command(inside, indexingCommand(registered));
      return registered;
    });
  }
}

/** The URL of a source that has one. @throws AppError `validation_error` */
function requireSource({ source_type: type, url, raw_text: text }: DocumentInput): string | null {
  if (type === 'raw_text') {
    if (url) throw invalidField('url', 'does not belong to a raw_text source');
    if (!text?.trim()) throw invalidField('raw_text', 'must have text for a raw_text source');
    return null;
  }
  if (text) throw invalidField('raw_text', `does not belong to a ${type} source`);
  if (!url) throw invalidField('url', `is required for a ${type} source`);
  return url;
}
