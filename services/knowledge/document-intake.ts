import { Readable } from 'node:stream';
import { detectType } from '../../adapters/extraction/detect-type.ts';
import { documentFormats, type DocumentType } from '../../adapters/extraction/document-types.ts';
import { findEncoding } from '../../adapters/extraction/encoding/encodings.ts';
import type { OutboundClient } from '../../adapters/http/outbound-client.ts';
import { toSafeFilename } from '../../adapters/storage/filename.ts';
import { invalidField } from '../../core/errors/errors.ts';
import { splitText } from '../../core/concurrency/cooperative.ts';
import { newId } from '../../core/ids.ts';
import type { Logger } from '../../core/logger.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { Document, RefreshRate } from '../../entities/knowledge/document.entity.ts';
import { lockDocumentUrls, queryDocumentsByUrl } from '../../repositories/knowledge/documents-by-url.ts';
import type { DocumentRepository } from '../../repositories/knowledge/document.repository.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { ScopedRepository } from '../../database/scoped.repository.ts';
import type { SitePageRepository } from '../../repositories/knowledge/site-page.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import type { OutdatedUploads } from '../encryption/outdated-uploads.ts';
import type { Quotas } from '../usage/quotas.ts';
import { indexingCommand, scheduleRefreshesCommand } from './document-commands.ts';
import { isVisible } from '../../core/text/visible-text.ts';
import { takeFirstWords } from './document-title.ts';
import { isBeingIndexed, toNextRevision } from './next-revision.ts';
import { mergeSiteTags } from './crawling/site-changes.ts';
import type { Originals } from './originals.ts';
import { drain, readHead } from './ingestion/read-head.ts';
import { originalKey } from '../../core/storage-keys.ts';

export interface DocumentInput {
  source_type: 'url' | 'raw_text' | 'sitemap';
  url?: string | null;
  raw_text?: string | null;
  title?: string;
  /** Whether the document's text answers the question in its title. */
  is_qa?: boolean;
  /** Label of the character encoding of the document's page; null to detect it. */
  encoding?: string | null;
  tags?: string[];
  max_pages?: number;
  refresh?: RefreshRate;
}

/**
 * A document's file that is still being uploaded. `fields` are the other form fields, which are complete only
 * after the file was read.
 */
export interface DocumentUpload {
  file: { filename: string; declaredType: string; content: Readable };
  fields(): Promise<{ title?: string; encoding?: string }>;
}

export interface DocumentIntakeDeps {
  bots: ScopedRepository<Bot>;
  documents: DocumentRepository;
  pages: SitePageRepository;
  outbox: OutboxService;
  outbound: OutboundClient;
  originals: Originals;
  outdatedUploads: OutdatedUploads;
  log: Logger;
  quotas: Quotas;
}

/** A document whose original file is stored, but whose row is not. `discard` deletes the file. */
export interface ReceivedDocument {
  document: NewDocument;
  fingerprint: object;
  discard(): Promise<void>;
}

export type NewDocument = Pick<Document, 'id' | 'botId' | 'sourceType'> & Partial<Document>;

/**
 * Number of bytes that are read to detect the type of a document's file. This suffices to distinguish
 * ZIP-based formats.
 */
const TYPE_BYTES = 1024 * 1024;
const FIRST_REVISION = 1;

/**
 * Receives new documents. Stores original files before their rows, so that no row refers to a missing file.
 */
export class DocumentIntake {
  readonly #deps: DocumentIntakeDeps;

  constructor(deps: DocumentIntakeDeps) {
    this.#deps = deps;
  }

  /**
   * Validates the source of a new document and stores its text, if it has one.
   * @throws AppError `validation_error` if a field does not belong to the source type; `url_refused`
   */
  async receive(scope: OrgScope, botId: string, input: DocumentInput): Promise<ReceivedDocument> {
    const url = requireSource(input);
    const encoding = input.encoding ? requireEncoding(input.encoding) : input.encoding;
    await this.#deps.bots.get(scope, botId);
    if (url !== null) await this.#deps.outbound.checkUrl(url, { field: 'url' });
    const {
      source_type: sourceType,
      raw_text: text,
      tags = [],
      max_pages: maxPages,
      refresh,
      is_qa: isQa,
    } = input;
    const title = toVisibleTitle(input.title) || takeFirstWords(text ?? '');
    const document = {
      id: newId(),
      botId,
      sourceType,
      title,
      tags,
      ...(encoding !== undefined && { encoding }),
      ...(maxPages && { maxPages }),
      ...(refresh && { refresh }),
      ...(isQa && { isQa }),
    };
    if (!text)
      return { document: { ...document, sourceUrl: url }, fingerprint: input, discard: async () => {} };
    const original = { ...document, mimeType: documentFormats.markdown.mimeType };
    return this.#storeOriginal(scope, original, Readable.from(encodeSlices(text)), async () => ({}));
  }

  /**
   * Streams a document's uploaded file to storage.
   * @throws AppError `unsupported_media_type`; `validation_error` for an empty file; or the error of the
   *   upload
   */
  async receiveUpload(
    scope: OrgScope,
    botId: string,
    { file, fields }: DocumentUpload,
  ): Promise<ReceivedDocument> {
    const filename = toSafeFilename(file.filename);
    const { head, content } = await readHead(file.content, TYPE_BYTES);
    let type: DocumentType;
    try {
      await this.#deps.bots.get(scope, botId);
      const hint = { filename, mimeType: file.declaredType };
      type = detectType(head, file.filename === '' ? hint : { ...hint, shownName: filename });
    } catch (error) {
      // Reads the rest of the upload: a client that is still sending would miss the error if the connection
      // closed.
      await drain(content);
      throw error;
    }
    const document = {
      id: newId(),
      botId,
      sourceType: 'file',
      filename,
      mimeType: documentFormats[type].mimeType,
    } as const;
    return this.#storeOriginal(scope, document, content, async () => {
      const { title = '', encoding } = await fields();
      // Forms send an empty string for a field that the user has left out.
      return { title: toVisibleTitle(title), ...(encoding && { encoding: requireEncoding(encoding) }) };
    });
  }

  /**
   * Inserts the document and starts its indexing in one transaction. If the bot already has the page or site,
   * indexes the existing document again. URLs are compared in normalized form.
   * @throws AppError `quota_exceeded`
   */
  register(scope: OrgScope, { document }: Pick<ReceivedDocument, 'document'>): Promise<Document> {
    return inTransaction(scope, async (tx) => {
      const existing = await this.#lockKnown(tx, document);
      return existing ? this.#updateKnown(tx, existing, document) : this.insert(tx, document);
    });
  }

  /**
   * Inserts the document and starts its indexing, in the caller's transaction.
   * @throws AppError `quota_exceeded`
   */
  async insert(tx: OrgScope, document: NewDocument): Promise<Document> {
    const { bots, documents, outbox, quotas, outdatedUploads } = this.#deps;
    await bots.lockShared(tx, document.botId);
    await quotas.require(tx, 'documents');
    const inserted = await documents.insert(tx, { ...document, revision: FIRST_REVISION });
    if (inserted.storageKey !== null) await outdatedUploads.resealIfOutdated(tx, inserted.keyId);
    await outbox.command(tx, indexingCommand(inserted));
    if (inserted.refresh !== 'none') {
      await outbox.command(tx, scheduleRefreshesCommand(tx.orgId, inserted.botId, inserted.id));
    }
    return inserted;
  }

  async #lockKnown(scope: OrgScope, document: NewDocument): Promise<Document | null> {
    const { botId, sourceUrl } = document;
    if (!sourceUrl) return null;
    await lockDocumentUrls(scope, botId);
    return queryDocumentsByUrl(scope, document, [sourceUrl]).setLock('pessimistic_write').limit(1).getOne();
  }

  /**
   * Updates an existing document and indexes it again. If it is already being indexed, only the fields are
   * updated. If the encoding changes, it is indexed again in any case: the running indexing may have decoded
   * the page already.
   */
  async #updateKnown(scope: OrgScope, known: Document, changes: NewDocument): Promise<Document> {
    const { bots, documents, pages, outbox } = this.#deps;
    const { title, encoding, tags = [], maxPages, sourceUrl, refresh } = changes;
    if (refresh) await bots.lockShared(scope, known.botId);
    if (tags.length > 0 && known.sourceType === 'sitemap') {
      const children = await documents.lockChildren(scope, known.id);
      await pages.updateTags(scope, children, (page) => mergeSiteTags(page.tags, known.tags, tags));
    }
    const hasOtherEncoding = encoding !== undefined && encoding !== known.encoding;
    const canIndex = hasOtherEncoding || !isBeingIndexed(known);
    await documents.update(scope, known.id, {
      ...(title && { title }),
      ...(encoding !== undefined && { encoding }),
      ...(tags.length > 0 && { tags }),
      ...(maxPages && { maxPages }),
      ...(refresh && { refresh }),
      ...(canIndex && toNextRevision(known)),
      ...(canIndex && known.parentId === null && { sourceUrl }),
      updatedAt: () => 'now()',
    });
    const updated = await documents.get(scope, known.id);
    if (canIndex) await outbox.command(scope, indexingCommand(updated));
    if (updated.refresh !== known.refresh) {
      await outbox.command(scope, scheduleRefreshesCommand(scope.orgId, known.botId, known.id));
    }
    return updated;
  }

  /** Stores an original. @param complete returns the fields that are known only after `content` was read */
  async #storeOriginal(
    scope: OrgScope,
    document: NewDocument,
    content: Readable,
    complete: () => Promise<Partial<Document>>,
  ): Promise<ReceivedDocument> {
    const documentIds = {
      orgId: scope.orgId,
      botId: document.botId,
      documentId: document.id,
      parentId: null,
    };
    const key = originalKey(documentIds, FIRST_REVISION);
    const { sha256, ...original } = await this.#deps.originals.put(scope.orgId, key, content);
    const discard = (): Promise<void> => this.#deleteOriginal(original.storageKey);
    try {
      const completed = await complete();
      const { filename = null } = document;
      return {
        document: { ...document, ...completed, ...original, contentSha256: sha256 },
        fingerprint: { sha256, filename, ...completed },
        discard,
      };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  async #deleteOriginal(storageKey: string): Promise<void> {
    const { originals, log } = this.#deps;
    await originals.delete(storageKey).catch((error: unknown) => {
      log.error({ err: error, storageKey }, 'cannot delete an original that has no document');
    });
  }
}

/** Encodes a document's text in slices small enough not to block the event loop. */
function* encodeSlices(text: string): Generator<Buffer> {
  for (const slice of splitText(text)) yield Buffer.from(slice);
}

/** @throws AppError `validation_error` if a document without a URL is to be refreshed */
export function requireRefreshable(type: Document['sourceType'], refresh: RefreshRate | undefined): void {
  if (refresh === undefined || refresh === 'none' || type === 'url' || type === 'sitemap') return;
  throw invalidField(
    'refresh',
    `is not allowed for a ${type} source; only url and sitemap sources are refreshed`,
  );
}

/**
 * Returns the URL of the document's source; null for a text.
 * @throws AppError `validation_error` if the fields do not fit the source type
 */
function requireSource({
  source_type: type,
  url,
  raw_text: text,
  encoding,
  refresh,
  title = '',
  is_qa: isQa = false,
}: DocumentInput): string | null {
  requireRefreshable(type, refresh);
  if (isQa && type !== 'raw_text')
    throw invalidField('is_qa', `is not allowed for a ${type} source, only for raw_text sources`);
  if (isQa && !toVisibleTitle(title))
    throw invalidField('title', 'must be the question that the text answers');
  if (encoding && type !== 'url') {
    throw invalidField('encoding', `is not allowed for a ${type} source, only for url sources and files`);
  }
  if (type === 'raw_text') {
    if (url) throw invalidField('url', 'is not allowed for a raw_text source');
    if (!text?.trim()) throw invalidField('raw_text', 'must contain text for a raw_text source');
    return null;
  }
  if (text) throw invalidField('raw_text', `is not allowed for a ${type} source`);
  if (!url) throw invalidField('url', `is required for a ${type} source`);
  return url;
}

/**
 * Returns the name of the character encoding that has this label.
 * @throws AppError `validation_error` if the label is unknown
 */
function requireEncoding(label: string): string {
  const encoding = findEncoding(label);
  if (encoding !== null) return encoding;
  throw invalidField(
    'encoding',
    'is not a known character encoding; examples are utf-8, windows-1251, Shift_JIS and GBK',
  );
}

/**
 * Trims the title of a document. Returns an empty title if it has no visible characters: the document is then
 * named after its content.
 */
export function toVisibleTitle(title = ''): string {
  return isVisible(title) ? title.trim() : '';
}
