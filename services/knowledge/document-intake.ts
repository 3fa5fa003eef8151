import { Readable } from 'node:stream';
import { detectType } from '../../adapters/extraction/detect-type.ts';
import { documentFormats, type DocumentType } from '../../adapters/extraction/document-types.ts';
import type { OutboundClient } from '../../adapters/http/outbound-client.ts';
import { safeFilename } from '../../adapters/storage/filename.ts';
import { invalidField } from '../../core/errors/errors.ts';
import { splitText } from '../../core/concurrency/cooperative.ts';
import { newId } from '../../core/ids.ts';
import type { Logger } from '../../core/logger.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { Document, RefreshRate } from '../../entities/knowledge/document.entity.ts';
import { lockAddresses, documentsAt } from '../../repositories/knowledge/addressed-documents.ts';
import type { DocumentRepository } from '../../repositories/knowledge/document.repository.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { ScopedRepository } from '../../database/scoped.repository.ts';
import type { SitePageRepository } from '../../repositories/knowledge/site-page.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import type { LateContent } from '../encryption/late-content.ts';
import type { Quotas } from '../usage/quotas.ts';
import { indexingCommand, refreshesCommand } from './document-commands.ts';
import { isVisible } from '../../core/text/visible-text.ts';
import { firstWords } from './document-title.ts';
import { isBeingIndexed, nextRevision } from './next-revision.ts';
import { passedOn } from './crawling/site-changes.ts';
import type { Originals } from './originals.ts';
import { drain, readHead } from './ingestion/read-head.ts';
import { originalKey } from '../../core/storage-keys.ts';

export interface DocumentInput {
  source_type: 'url' | 'raw_text' | 'sitemap';
  url?: string | null;
  raw_text?: string | null;
  title?: string;
  tags?: string[];
  max_pages?: number;
  refresh?: RefreshRate;
}

/** A file on its way in, and the text fields beside it, known once the file has been read. */
export interface DocumentUpload {
  file: { filename: string; declaredType: string; content: Readable };
  fields(): Promise<{ title?: string }>;
}

export interface DocumentIntakeDeps {
  bots: ScopedRepository<Bot>;
  documents: DocumentRepository;
  pages: SitePageRepository;
  outbox: OutboxService;
  outbound: OutboundClient;
  originals: Originals;
  lateContent: LateContent;
  log: Logger;
  quotas: Quotas;
}

/** A document whose original is stored already; `discard` removes that again. */
export interface ReceivedDocument {
  document: NewDocument;
  fingerprint: object;
  discard(): Promise<void>;
}

type NewDocument = Pick<Document, 'id' | 'botId' | 'sourceType'> & Partial<Document>;

/** Telling one ZIP archive from another takes this much of it at most. */
const TYPE_BYTES = 1024 * 1024;
const FIRST_REVISION = 1;

/** How documents come in. Originals are stored before their rows, so that a row never points to nothing. */
export class DocumentIntake {
  readonly #deps: DocumentIntakeDeps;

  constructor(deps: DocumentIntakeDeps) {
    this.#deps = deps;
  }

  /**
   * Checks a source and stores the text of one that brings it.
   * @throws AppError `validation_error` for fields that do not belong to the source type, `url_refused`
   */
  async receive(scope: OrgScope, botId: string, input: DocumentInput): Promise<ReceivedDocument> {
    const url = requireSource(input);
    await this.#deps.bots.get(scope, botId);
    if (url !== null) await this.#deps.outbound.checkUrl(url);
    const { source_type: sourceType, raw_text: text, tags = [], max_pages: maxPages, refresh } = input;
    const title = givenTitle(input.title) || firstWords(text ?? '');
    const document = {
      id: newId(),
      botId,
      sourceType,
      title,
      tags,
      ...(maxPages && { maxPages }),
      ...(refresh && { refresh }),
    };
    if (!text)
      return { document: { ...document, sourceUrl: url }, fingerprint: input, discard: async () => {} };
    const original = { ...document, mimeType: documentFormats.markdown.mimeType };
    return this.#store(scope, original, Readable.from(encoded(text)), async () => ({}));
  }

  /**
   * Stores the file while it arrives.
   * @throws AppError `unsupported_media_type`, `validation_error` for an empty file, and what the upload fails with
   */
  async receiveUpload(
    scope: OrgScope,
    botId: string,
    { file, fields }: DocumentUpload,
  ): Promise<ReceivedDocument> {
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
    const document = {
      id: newId(),
      botId,
      sourceType: 'file',
      filename,
      mimeType: documentFormats[type].mimeType,
    } as const;
    return this.#store(scope, document, content, async () => {
      const { title = '' } = await fields();
      return { title: givenTitle(title) };
    });
  }

  /**
   * The row and the command that indexes it, both or none. A page or site that the bot has already, however its address is
   * written, stays the one document that it is and is indexed again.
   * @throws AppError `quota_exceeded`
   */
  register(scope: OrgScope, { document }: Pick<ReceivedDocument, 'document'>): Promise<Document> {
    const { bots, documents, outbox, quotas, lateContent } = this.#deps;
    return inTransaction(scope, async (inside) => {
      const known = await this.#lockKnown(inside, document);
      if (known) return this.#renew(inside, known, document);
      await bots.lockShared(inside, document.botId);
      await quotas.require(inside, 'documents');
      const registered = await documents.insert(inside, { ...document, revision: FIRST_REVISION });
      if (registered.storageKey !== null) await lateContent.follow(inside, registered.keyId);
      await outbox.command(inside, indexingCommand(registered));
      if (registered.refresh !== 'none') {
        await outbox.command(inside, refreshesCommand(scope.orgId, registered.botId, registered.id));
      }
      return registered;
    });
  }

  async #lockKnown(scope: OrgScope, document: NewDocument): Promise<Document | null> {
    const { botId, sourceUrl } = document;
    if (!sourceUrl) return null;
    await lockAddresses(scope, botId);
    return documentsAt(scope, document, [sourceUrl]).setLock('pessimistic_write').limit(1).getOne();
  }

  /** One that is being indexed gets what is new of its fields alone. */
  async #renew(scope: OrgScope, known: Document, given: NewDocument): Promise<Document> {
    const { bots, documents, pages, outbox } = this.#deps;
    const { title, tags = [], maxPages, sourceUrl, refresh } = given;
    if (refresh) await bots.lockShared(scope, known.botId);
    if (tags.length > 0 && known.sourceType === 'sitemap') {
      const children = await documents.lockChildren(scope, known.id);
      await pages.passOnTags(scope, children, (page) => passedOn(page.tags, known.tags, tags));
    }
    const isDone = !isBeingIndexed(known);
    await documents.update(scope, known.id, {
      ...(title && { title }),
      ...(tags.length > 0 && { tags }),
      ...(maxPages && { maxPages }),
      ...(refresh && { refresh }),
      ...(isDone && nextRevision(known)),
      ...(isDone && known.parentId === null && { sourceUrl }),
      updatedAt: () => 'now()',
    });
    const renewed = await documents.get(scope, known.id);
    if (isDone) await outbox.command(scope, indexingCommand(renewed));
    if (renewed.refresh !== known.refresh) {
      await outbox.command(scope, refreshesCommand(scope.orgId, known.botId, known.id));
    }
    return renewed;
  }

  /** @param complete what is known only after `content` has been read */
  async #store(
    scope: OrgScope,
    document: NewDocument,
    content: Readable,
    complete: () => Promise<Partial<Document>>,
  ): Promise<ReceivedDocument> {
    const place = { orgId: scope.orgId, botId: document.botId, documentId: document.id, parentId: null };
    const key = originalKey(place, FIRST_REVISION);
    const { sha256, ...original } = await this.#deps.originals.put(scope.orgId, key, content);
    const discard = (): Promise<void> => this.#remove(original.storageKey);
    try {
      const completed = await complete();
      const { filename = null } = document;
      return {
        document: { ...document, ...completed, ...original },
        fingerprint: { sha256, filename, ...completed },
        discard,
      };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  async #remove(storageKey: string): Promise<void> {
    const { originals, log } = this.#deps;
    await originals.delete(storageKey).catch((error: unknown) => {
      log.error({ err: error, storageKey }, 'an original without a document was not removed');
    });
  }
}

/** In pieces that are each no work. */
function* encoded(text: string): Generator<Buffer> {
  for (const piece of splitText(text)) yield Buffer.from(piece);
}

/** @throws AppError `validation_error` where there is nothing to read again */
export function requireRefreshable(type: Document['sourceType'], refresh: RefreshRate | undefined): void {
  if (refresh === undefined || refresh === 'none' || type === 'url' || type === 'sitemap') return;
  throw invalidField(
    'refresh',
    `does not belong to a ${type} source; only url and sitemap sources are read again`,
  );
}

/** The URL of a source that has one. @throws AppError `validation_error` */
function requireSource({ source_type: type, url, raw_text: text, refresh }: DocumentInput): string | null {
  requireRefreshable(type, refresh);
  if (type === 'raw_text') {
    if (url) throw invalidField('url', 'does not belong to a raw_text source');
    if (!text?.trim()) throw invalidField('raw_text', 'must have text for a raw_text source');
    return null;
  }
  if (text) throw invalidField('raw_text', `does not belong to a ${type} source`);
  if (!url) throw invalidField('url', `is required for a ${type} source`);
  return url;
}

/** Empty for one of which nobody would see anything: the document is called by its own then. */
function givenTitle(title = ''): string {
  return isVisible(title) ? title.trim() : '';
}
