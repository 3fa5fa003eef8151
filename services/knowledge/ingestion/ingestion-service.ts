import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import type { TextRecognizer } from '../../../adapters/recognition/text-recognizer.ts';
import type { OpenedObject } from '../../../adapters/storage/object-storage.ts';
import { cutText } from '../../../core/text/cut-text.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import { openUnnamedFile } from '../../../core/knowledge/unnamed-file.ts';
import type { Document } from '../../../entities/knowledge/document.entity.ts';
import type { BotRepository } from '../../../repositories/bots/bot.repository.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type {
  IndexedDocument,
  Revision,
  RevisionRepository,
} from '../../../repositories/knowledge/revision.repository.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { findPayerId } from '../../requests/payer-queue.ts';
import type { ChunkIndex } from './chunk-index.ts';
import { ChunkSpool } from './chunk-spool.ts';
import type { SearchableChunk } from './extraction-protocol.ts';
import { documentEventData } from '../document-events.ts';
import { toDisplayTitle } from '../document-title.ts';
import {
  extractAndChunk,
  isShortText,
  type ExtractionOptions,
  type ExtractionSummary,
} from './extract-and-chunk.ts';
import type { Originals } from '../originals.ts';
import { isSuspect, ReadingAttempts } from './reading-attempts.ts';
import { RecognizedPages } from './recognized-pages.ts';
import { isUnreadable } from '../../../adapters/extraction/unreadable-document.ts';
import { isIndexed, SourceFetch, type FetchLimits, type EarlyEnd } from './source-fetch.ts';

export interface IngestionServiceDeps {
  bots: BotRepository;
  revisions: RevisionRepository;
  originals: Originals;
  outbound: OutboundClient;
  chunkIndex: ChunkIndex;
  outbox: OutboxService;
  /**
   * Recognizer of the text in scanned documents, from `createTextRecognizer`; undefined if this text is not
   * read.
   */
  recognizer: TextRecognizer | undefined;
  settings: Pick<Settings, 'uploadMaxBytes' | 'pageFetchMs' | 'readingBaseMs' | 'readingMaxMs'>;
}

/** Content of a document's original file: its bytes, or the descriptor of an open file. */
type Original = { bytes: Buffer } | { file: number; sizeBytes: number };

/**
 * Runs work that reads a document once a slot is free. Returns `out_of_turn` if no slot becomes free soon.
 */
export type RunInSlot = <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T | 'out_of_turn'>;

/**
 * Result if the document's status has become `processing`. `mustFetch` is true if the document's URL must be
 * downloaded first.
 */
export interface StartedIngestion {
  mustFetch: boolean;
}

interface ReadingBounds {
  signal?: AbortSignal | undefined;
  /**
   * Limit of CPU time for reading the document, in milliseconds; undefined for a limit that depends on the
   * document's size.
   */
  timeoutMs?: number;
  /** Whether Parley recognizes text in scans. If false, a document with scans ends with `has_scans`. */
  recognizesScans?: boolean;
}

interface ReadOriginal {
  summary: ExtractionSummary;
  chunks: ChunkSpool;
  sizeBytes: number;
}

const BYTES_PER_MB = 1024 * 1024;
/**
 * Limit of CPU time in milliseconds for each megabyte of a document: ten times what ordinary documents take.
 */
const READING_MS_PER_MB = 10_000;
/**
 * Maximum size in bytes of files that are indexed as soon as a slot is free, without an activity of their
 * own. Most of these files take less than 100 ms.
 */
const SMALL_FILE_BYTES = 64 * 1024;
/**
 * Limit of CPU time in milliseconds for files up to `SMALL_FILE_BYTES`. A file that takes longer is read
 * again in a separate activity, with the full limit.
 */
const SMALL_FILE_MS = 2000;
/**
 * Maximum size in bytes of documents' original files that are loaded into memory to be read. Larger originals
 * are read from a file.
 */
const MAX_MEMORY_BYTES = 256 * 1024;
const TITLE_MAX_LENGTH = 500;
export const STILL_SEARCHABLE = ' The previous content stays searchable.';

/**
 * Performs the steps of indexing one revision of a document. If the revision is no longer current, each step
 * returns null or does nothing.
 */
export class IngestionService {
  readonly #deps: IngestionServiceDeps;
  readonly #sources: SourceFetch;
  readonly #attempts: ReadingAttempts;
  readonly #recognized = new RecognizedPages();

  constructor(deps: IngestionServiceDeps) {
    this.#deps = deps;
    this.#sources = new SourceFetch(deps);
    this.#attempts = new ReadingAttempts(deps.revisions);
  }

  async begin(scope: OrgScope, revision: Revision): Promise<StartedIngestion | null> {
    const document = await this.#deps.revisions.begin(scope, revision);
    return document && { mustFetch: document.sourceType === 'url' };
  }

  /**
   * Indexes a short text, or a small file if a slot is free. Marks any other document as `processing` for the
   * next steps.
   * @throws UnreadableDocument, CrowdedError
   */
  async beginOrIndex(
    scope: OrgScope,
    revision: Revision,
    readInTurn: RunInSlot = async () => 'out_of_turn',
  ): Promise<IndexedDocument | StartedIngestion | null> {
    const { revisions } = this.#deps;
    const document = await revisions.find(scope, revision);
    // Another revision has superseded this revision, or an earlier attempt indexed this revision, but the
    // worker crashed before it reported the result.
    if (!document) return revisions.findIndexed(scope, revision);
    const indexed =
      isSmallFile(document) && !isSuspect(document)
        ? await this.#indexSmallFile(scope, revision, document, readInTurn)
        : 'out_of_turn';
    if (typeof indexed !== 'string') return indexed;
    const isCurrent = await revisions.update(scope, revision, { status: 'processing' });
    return isCurrent ? { mustFetch: document.sourceType === 'url' } : null;
  }

  /**
   * Downloads the document's URL and stores the response as its original. Ends a refresh at once if nothing
   * has changed.
   * @throws OutboundError, WebSourceError
   */
  fetchSource(
    scope: OrgScope,
    revision: Revision,
    signal?: AbortSignal,
    limits: FetchLimits = {
      timeoutMs: this.#deps.settings.pageFetchMs,
      maxBytes: this.#deps.settings.uploadMaxBytes,
    },
  ): Promise<{ sizeBytes: number } | EarlyEnd | null> {
    return this.#sources.fetch(scope, revision, { ...limits, signal });
  }

  /**
   * Reads the document's original file and replaces the document's chunks. Collects the chunks before the
   * transaction starts, so that no locks are held while a document is read. Returns `has_scans` without
   * indexing if `recognizeAndIndex` can read more of the document. Returns `out_of_turn` if an earlier
   * attempt may have crashed the worker, and other such documents are queued before this document.
   * @throws UnreadableDocument, CrowdedError; AppError `key_unavailable`
   */
  async index(
    scope: OrgScope,
    revision: Revision,
    signal?: AbortSignal,
  ): Promise<IndexedDocument | EarlyEnd | 'has_scans' | 'out_of_turn' | null> {
    try {
      return await this.#indexOriginal(scope, revision, { signal });
    } catch (error) {
      if (isUnreadable(error) && error.reason === 'has_scans') return 'has_scans';
      throw error;
    }
  }

  /**
   * Indexes the document as `index` does, but also recognizes the text of scanned pages, which takes minutes.
   * A further call for a document continues after the pages that an aborted call has recognized.
   * @throws UnreadableDocument, CrowdedError; AppError `key_unavailable`
   */
  async recognizeAndIndex(
    scope: OrgScope,
    revision: Revision,
    signal: AbortSignal,
  ): Promise<IndexedDocument | EarlyEnd | 'out_of_turn' | null> {
    const indexed = await this.#indexOriginal(scope, revision, { signal, recognizesScans: true });
    if (indexed !== 'out_of_turn') this.#recognized.forget(revision.documentId);
    return indexed;
  }

  async #indexOriginal(
    scope: OrgScope,
    revision: Revision,
    bounds: ReadingBounds,
  ): Promise<IndexedDocument | EarlyEnd | 'out_of_turn' | null> {
    const { revisions } = this.#deps;
    const document = await revisions.find(scope, revision);
    if (!document) return revisions.findIndexed(scope, revision);
    const { sizeBytes } = document;
    const { content } = await this.#openOriginal(scope, document);
    if (sizeBytes <= MAX_MEMORY_BYTES) {
      return this.#indexSource(scope, revision, document, { bytes: await buffer(content) }, bounds);
    }
    const file = await openUnnamedFile();
    try {
      await writeFile(file, content, { signal: bounds.signal });
      return await this.#indexSource(scope, revision, document, { file: file.fd, sizeBytes }, bounds);
    } finally {
      await file.close();
    }
  }

  /**
   * Marks the document's revision as failed. The chunks of the previous revision stay searchable. If a
   * refresh failed temporarily, the document stays `indexed`.
   */
  async fail(scope: OrgScope, revision: Revision, reason: string, isTemporary = false): Promise<void> {
    await inTransaction(scope, async (tx) => {
      const document = await this.#deps.revisions.lock(tx, revision);
      if (!document) return;
      const errorMessage = `${reason}${isIndexed(document) ? STILL_SEARCHABLE : ''}`;
      if (revision.isRefresh && isTemporary && isIndexed(document)) {
        await this.#deps.revisions.update(tx, revision, { status: 'indexed', errorMessage });
        return;
      }
      await this.#deps.revisions.update(tx, revision, { status: 'failed', errorMessage });
      const data = { ...documentEventData(document), reason: errorMessage };
      await this.#deps.outbox.event(tx, 'document.failed', data, document.botId);
    });
  }

  async #indexSmallFile(
    scope: OrgScope,
    revision: Revision,
    document: Document,
    readInTurn: RunInSlot,
  ): Promise<IndexedDocument | 'out_of_turn' | null> {
    const { filename, mimeType } = document;
    const { content } = await this.#openOriginal(scope, document);
    const bytes = await buffer(content);
    const first = { ...revision, isRefresh: false };
    const indexBytes = async (bounds: ReadingBounds) => {
      const indexed = await this.#indexSource(scope, first, document, { bytes }, bounds);
      return typeof indexed === 'string' ? null : indexed;
    };
    if (isShortText({ bytes, filename, mimeType })) return indexBytes({});
    try {
      return await readInTurn((signal) => indexBytes({ signal, timeoutMs: SMALL_FILE_MS }));
    } catch (error) {
      const needsActivity =
        isUnreadable(error) && (error.reason === 'timeout' || error.reason === 'has_scans');
      if (needsActivity) return 'out_of_turn';
      throw error;
    }
  }

  #openOriginal(scope: OrgScope, document: Document): Promise<OpenedObject> {
    const { id, storageKey } = document;
    if (storageKey === null) throw new Error(`Document ${id} has no original.`);
    return this.#deps.originals.open(scope, { ...document, storageKey });
  }

  async #indexSource(
    scope: OrgScope,
    revision: Revision,
    document: Document,
    original: Original,
    bounds: ReadingBounds = {},
  ): Promise<IndexedDocument | EarlyEnd | 'out_of_turn' | null> {
    const work = () => this.#readAndIndex(scope, revision, document, original, bounds);
    if (isShortText({ ...original, ...document })) return work();
    return this.#attempts.run(scope, document, { revision, signal: bounds.signal, work });
  }

  async #readAndIndex(
    scope: OrgScope,
    revision: Revision,
    document: Document,
    original: Original,
    bounds: ReadingBounds,
  ): Promise<IndexedDocument | EarlyEnd | null> {
    const chunks = new ChunkSpool();
    try {
      const recognition = await this.#chooseRecognition(scope, document, bounds);
      const readResult = await this.#readOriginal(scope, document, original, chunks, {
        ...bounds,
        recognition,
      });
      const indexed = await inTransaction(scope, async (tx) => {
        const current = await this.#deps.revisions.lock(tx, revision);
        return (
          current &&
          ((await this.#endEarly(tx, revision, current, readResult)) ??
            this.#replace(tx, current, readResult, bounds.signal))
        );
      });
      return indexed ?? (await this.#deps.revisions.findIndexed(scope, revision));
    } finally {
      await chunks.close();
    }
  }

  /**
   * Ends a refresh early if the page's text has not changed, or if another page of the website has the same
   * text.
   */
  async #endEarly(
    scope: OrgScope,
    revision: Revision,
    document: Document,
    { chunks }: ReadOriginal,
  ): Promise<EarlyEnd | null> {
    if (!revision.isRefresh) return null;
    const textSha256 = chunks.textSha256();
    // Keeps the page if its text has not changed, even if another page has the same text. At its end, the
    // crawl removes duplicates.
    if (isIndexed(document) && document.textSha256 === textSha256)
      return this.#sources.endUnchanged(scope, revision, { indexedSha256: document.fetched?.sha256 ?? null });
    return (await this.#sources.skipDuplicate(scope, document, textSha256)) ? 'left_out' : null;
  }

  async #readOriginal(
    scope: OrgScope,
    document: Document,
    original: Original,
    chunks: ChunkSpool,
    { signal, timeoutMs, recognition }: ReadingBounds & Pick<ExtractionOptions, 'recognition'>,
  ): Promise<ReadOriginal> {
    const { filename, mimeType, encoding } = document;
    const sizeBytes = 'bytes' in original ? original.bytes.length : original.sizeBytes;
    const source = { ...original, filename, mimeType, encoding };
    const summary = await extractAndChunk(source, (batch) => chunks.add(batch), {
      title: document.title || null,
      timeoutMs: timeoutMs ?? this.#readingTimeMs(sizeBytes),
      payerId: await findPayerId(scope),
      whenCrowded: 'throw',
      recognition,
      ...(signal && { signal }),
    });
    return { summary, chunks, sizeBytes };
  }

  async #chooseRecognition(
    scope: OrgScope,
    { id: documentId, botId }: Document,
    { recognizesScans }: ReadingBounds,
  ): Promise<ExtractionOptions['recognition']> {
    const { recognizer, bots } = this.#deps;
    if (!recognizer || !recognizesScans) return recognizer && 'defer';
    const { language } = await bots.get(scope, botId);
    return { recognizer, languages: [language], known: { pages: this.#recognized, documentId } };
  }

  /**
   * Returns the limit of CPU time for a document, by its size. A small document that takes long is probably
   * malicious, and would delay others.
   */
  #readingTimeMs(sizeBytes: number): number {
    const { readingBaseMs, readingMaxMs } = this.#deps.settings;
    return Math.min(readingBaseMs + (sizeBytes / BYTES_PER_MB) * READING_MS_PER_MB, readingMaxMs);
  }

  async #replace(
    scope: OrgScope,
    document: Document,
    original: ReadOriginal,
    signal: AbortSignal | undefined,
  ): Promise<IndexedDocument> {
    const { summary, chunks, sizeBytes } = original;
    const { mimeType, searchConfig, notice = null } = summary;
    const title = document.title || cutText(summary.title || toDisplayTitle(document), TITLE_MAX_LENGTH);
    const { id: documentId, botId, chunkCount: previousCount } = document;
    const { chunkCount, tokenCount } = await this.#deps.chunkIndex.replaceChunks(
      scope,
      { botId, documentId, title },
      listUntilAborted(chunks, signal),
      searchConfig,
    );
    // The new chunks have no vectors yet; the worker computes them later.
    const facts = {
      title,
      mimeType,
      sizeBytes,
      chunkCount,
      tokenCount,
      textSha256: chunks.textSha256(),
      notice,
      embeddingModel: null,
    };
    await this.#deps.revisions.complete(scope, document, facts);
    await this.#deps.bots.addToChunkCount(scope, botId, chunkCount - previousCount);
    const counts = { chunk_count: chunkCount, token_count: tokenCount };
    const data = { ...documentEventData({ ...document, title }), ...counts };
    await this.#deps.outbox.event(scope, 'document.indexed', data, botId);
    return { mimeType, sizeBytes, sectionCount: chunks.sectionCount, chunkCount, tokenCount };
  }
}

function isSmallFile({ sourceType, sizeBytes }: Document): boolean {
  return sourceType !== 'url' && sizeBytes !== null && sizeBytes <= SMALL_FILE_BYTES;
}

/**
 * Lists a document's chunks until the signal aborts, so that a read that lost its slot stops inserting them.
 */
async function* listUntilAborted(
  chunks: ChunkSpool,
  signal: AbortSignal | undefined,
): AsyncGenerator<SearchableChunk[]> {
  for await (const batch of chunks) {
    signal?.throwIfAborted();
    yield batch;
  }
}
