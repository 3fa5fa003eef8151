import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { invalidField } from '../../core/errors/errors.ts';
import { requireVisible } from '../../core/text/visible-text.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { readPage, type Page, type PageQuery } from '../../database/page.ts';
import type { RowChanges } from '../../database/scoped.repository.ts';
import type { Document, RefreshRate } from '../../entities/knowledge/document.entity.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import type { DocumentRepository } from '../../repositories/knowledge/document.repository.ts';
import type { OutdatedUploads } from '../encryption/outdated-uploads.ts';
import { deleteFileCommand } from '../outbox/delete-file-command.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { indexingCommand, scheduleRefreshesCommand } from './document-commands.ts';
import {
  toVisibleTitle,
  type DocumentInput,
  type DocumentIntake,
  type NewDocument,
  type ReceivedDocument,
} from './document-intake.ts';
import type { DocumentService } from './document-service.ts';
import { isBeingIndexed, toNextRevision } from './next-revision.ts';

export type PutOutcome = 'created' | 'replaced' | 'unchanged';

/** Properties of a document that the caller sent with its content. Undefined properties stay unchanged. */
interface SentProperties {
  externalId: string | null;
  title?: string | undefined;
  tags?: string[] | undefined;
  refresh?: RefreshRate | undefined;
  /** Whether the call returns an existing document with the same content instead of creating one. */
  deduplicate: boolean;
}

/**
 * Content that is stored, but not yet assigned to a document. `release` deletes its file if the document does
 * not use it.
 */
export interface ReceivedPut extends ReceivedDocument {
  sent: SentProperties;
  /**
   * True if the uploaded file is not needed, because another document or an earlier call has the same
   * content.
   */
  isUnneeded: boolean;
  release(): void;
}

/** Form fields sent with a document's file, as `readFileFields` reads them. */
export interface FileFields extends Pick<SentProperties, 'externalId' | 'title' | 'tags' | 'deduplicate'> {
  encoding?: string | undefined;
}

export interface FilePut {
  file: { filename: string; declaredType: string; content: Readable };
  /** Function that returns the form fields, after the whole file was read. */
  fields(): Promise<FileFields>;
}

export interface ExternalDocumentsDeps {
  bots: BotRepository;
  documents: DocumentRepository;
  intake: DocumentIntake;
  documentService: DocumentService;
  outdatedUploads: OutdatedUploads;
  outbox: OutboxService;
  keyring: Keyring;
}

/**
 * Creates and replaces documents under external ids, which callers choose. Answers use a document's previous
 * chunks until its new content is indexed.
 */
export class ExternalDocuments {
  readonly #deps: ExternalDocumentsDeps;

  constructor(deps: ExternalDocumentsDeps) {
    this.#deps = deps;
  }

  /**
   * Validates a document's text or page URL, and stores the text.
   * @throws like `DocumentIntake.receive`
   */
  async receive(
    scope: OrgScope,
    botId: string,
    externalId: string,
    input: DocumentInput,
  ): Promise<ReceivedPut> {
    requireVisible(externalId, 'external_id', 'path');
    const { title, tags, refresh } = input;
    const received = await this.#deps.intake.receive(scope, botId, input);
    return toReceivedPut(received, { externalId, title, tags, refresh, deduplicate: false });
  }

  /**
   * Streams a document's file to storage.
   * @throws like `DocumentIntake.receiveUpload`
   */
  async receiveFile(scope: OrgScope, botId: string, { file, fields }: FilePut): Promise<ReceivedPut> {
    let sentFields: FileFields = { externalId: null, deduplicate: false };
    const received = await this.#deps.intake.receiveUpload(scope, botId, {
      file,
      fields: async () => {
        sentFields = await fields();
        if (sentFields.externalId !== null) requireVisible(sentFields.externalId, 'external_id');
        if (sentFields.deduplicate && sentFields.externalId !== null)
          throw invalidField('deduplicate', 'cannot be combined with `external_id`');
        const { title, encoding } = sentFields;
        return { ...(title && { title }), ...(encoding && { encoding }) };
      },
    });
    return toReceivedPut(
      { ...received, fingerprint: { content: received.fingerprint, sent: sentFields } },
      sentFields,
    );
  }

  /**
   * Creates the document, or replaces the content of the document with the same external id. Does not index
   * content that the document already has. Calls for one id run one after another.
   * @throws AppError `quota_exceeded`
   */
  put(scope: OrgScope, received: ReceivedPut): Promise<{ document: Document; outcome: PutOutcome }> {
    const { documents, intake } = this.#deps;
    const { document, sent } = received;
    const { externalId, deduplicate } = sent;
    return inTransaction(scope, async (tx) => {
      if (deduplicate) {
        const { botId, contentSha256 = null, encoding = null } = document;
        const duplicate = await documents.lockSameContent(tx, { botId, contentSha256, encoding });
        if (duplicate) {
          received.isUnneeded = true;
          return { document: duplicate, outcome: 'unchanged' };
        }
      }
      const existing =
        externalId === null ? null : await documents.lockExternal(tx, document.botId, externalId);
      if (existing === null) {
        const created = { ...document, externalId, ...(sent.tags && { tags: sent.tags }) };
        return { document: await intake.insert(tx, created), outcome: 'created' };
      }
      if (!isSameContent(existing, document))
        return { document: await this.#replace(tx, existing, document, sent), outcome: 'replaced' };
      received.isUnneeded = true;
      return {
        document: await this.#update(tx, existing, listChanges(existing, sent)),
        outcome: 'unchanged',
      };
    });
  }

  /** Lists the bot's documents that have an id chosen by a caller. @param prefix beginning of these ids */
  async list(
    scope: OrgScope,
    botId: string,
    { prefix, ...page }: PageQuery & { prefix?: string },
  ): Promise<Page<Document>> {
    const { bots, documents, keyring } = this.#deps;
    await bots.get(scope, botId);
    const query = documents.queryExternal(scope, botId);
    if (prefix) query.andWhere('starts_with(row.external_id, :prefix)', { prefix });
    return readPage(query, page, keyring);
  }

  /** @throws AppError `not_found` if the bot has no document with the external id */
  async get(scope: OrgScope, botId: string, externalId: string): Promise<Document> {
    await this.#deps.bots.get(scope, botId);
    return this.#deps.documents.getExternal(scope, botId, externalId);
  }

  /**
   * Deletes a document as `DocumentService.delete` does. Returns the document's id.
   * @throws AppError `not_found`
   */
  async delete(scope: OrgScope, botId: string, externalId: string): Promise<string> {
    const { id } = await this.get(scope, botId, externalId);
    await this.#deps.documentService.delete(scope, botId, id);
    return id;
  }

  /**
   * Replaces the content of a document and starts to index the new content. The previous original file is
   * deleted after the commit.
   */
  async #replace(
    tx: OrgScope,
    existing: Document,
    document: NewDocument,
    sent: SentProperties,
  ): Promise<Document> {
    const { outbox, outdatedUploads } = this.#deps;
    const isOtherSource = !isSamePage(existing, document);
    const refresh = sent.refresh ?? (document.sourceType === 'url' ? undefined : 'none');
    const updated = await this.#update(tx, existing, {
      ...(existing.title === '' && document.title && { title: document.title }),
      ...listChanges(existing, { ...sent, refresh }),
      ...(isOtherSource && toContentColumns(document)),
      ...toNextRevision(existing),
    });
    const { orgId, botId, storageKey } = existing;
    if (isOtherSource && storageKey !== null) {
      const summary = 'Remove the previous original of a replaced document';
      await outbox.command(tx, deleteFileCommand({ orgId, botId, storageKey }, summary));
    }
    if (document.storageKey) await outdatedUploads.resealIfOutdated(tx, updated.keyId);
    await outbox.command(tx, indexingCommand(updated));
    return updated;
  }

  /** Updates columns of a locked document, and its refresh schedule. */
  async #update(tx: OrgScope, known: Document, changes: RowChanges<Document>): Promise<Document> {
    const { bots, documents, outbox } = this.#deps;
    if (Object.keys(changes).length === 0) return known;
    const hasOtherRefresh = changes.refresh !== undefined && changes.refresh !== known.refresh;
    // Locks the bot: if its status changed concurrently, the document's refresh schedule would be outdated.
    if (hasOtherRefresh) await bots.lockShared(tx, known.botId);
    await documents.update(tx, known.id, { ...changes, updatedAt: () => 'now()' });
    if (hasOtherRefresh) await outbox.command(tx, scheduleRefreshesCommand(tx.orgId, known.botId, known.id));
    return documents.get(tx, known.id);
  }
}

function toReceivedPut(received: ReceivedDocument, sent: SentProperties): ReceivedPut {
  const put: ReceivedPut = {
    ...received,
    sent,
    isUnneeded: false,
    release: () => {
      if (put.isUnneeded) void received.discard();
    },
  };
  return put;
}

/**
 * Returns true if the document has this content, and is indexed or being indexed. A page's content is known
 * only after its download; until then, the same page counts as the same content.
 */
function isSameContent(known: Document, document: NewDocument): boolean {
  if (isSamePage(known, document)) return isBeingIndexed(known);
  const { sourceType, contentSha256, filename, encoding } = document;
  return (
    known.status !== 'failed' &&
    known.sourceType === sourceType &&
    known.contentSha256 === contentSha256 &&
    // The extension and the character encoding determine how the file's bytes are read.
    extname(known.filename ?? '') === extname(filename ?? '') &&
    (encoding === undefined || encoding === known.encoding)
  );
}

function isSamePage(known: Document, { sourceType, sourceUrl }: NewDocument): boolean {
  return sourceType === 'url' && known.sourceType === 'url' && known.sourceUrl === sourceUrl;
}

/** Returns the properties that the caller sent and whose values differ from those of the document. */
function listChanges(
  known: Document,
  { title, tags, refresh }: Pick<SentProperties, 'title' | 'tags' | 'refresh'>,
): RowChanges<Document> {
  const visibleTitle = toVisibleTitle(title);
  const hasOtherTags = tags !== undefined && JSON.stringify(tags) !== JSON.stringify(known.tags);
  return {
    ...(visibleTitle && visibleTitle !== known.title && { title: visibleTitle }),
    ...(hasOtherTags && { tags }),
    ...(refresh && refresh !== known.refresh && { refresh }),
  };
}

/**
 * Returns the columns that describe a document's content. Resets the columns that describe the previous
 * content.
 */
function toContentColumns(document: NewDocument): RowChanges<Document> {
  const { sourceType, sourceUrl, filename, mimeType, sizeBytes, storageKey, keyId, encoding, contentSha256 } =
    document;
  return {
    sourceType,
    sourceUrl: sourceUrl ?? null,
    filename: filename ?? null,
    mimeType: mimeType ?? null,
    sizeBytes: sizeBytes ?? 0,
    storageKey: storageKey ?? null,
    keyId: keyId ?? null,
    encoding: encoding ?? null,
    contentSha256: contentSha256 ?? null,
    fetched: null,
    indexedSha256: null,
  };
}
