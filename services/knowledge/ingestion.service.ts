import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OutboundClient } from '../../adapters/http/outbound-client.ts';
import type { ObjectStorage } from '../../adapters/storage/object-storage.ts';
import { fetchPage } from '../../adapters/web/fetch-page.ts';
import { RobotsPolicy } from '../../adapters/web/robots-policy.ts';
import { cutText } from '../../core/cut-text.ts';
import type { Settings } from '../../core/settings.ts';
import type { Document } from '../../entities/document.entity.ts';
import type { BotRepository } from '../../repositories/bot.repository.ts';
import { inTransaction, type OrgScope } from '../../repositories/org-scope.ts';
import type {
  IndexedDocument,
  Revision,
  RevisionRepository,
} from '../../repositories/revision.repository.ts';
import type { OutboxService } from '../outbox.service.ts';
import type { ChunkIndex } from './chunk-index.ts';
import { documentEventData } from './document-events.ts';
import { titleOf } from './document-title.ts';
import { extractAndChunk, type ExtractionSummary } from './extract-and-chunk.ts';
import type { SearchableChunk } from './extraction-protocol.ts';
import { originalKey } from './storage-keys.ts';

export interface IngestionServiceDeps {
  bots: BotRepository;
  revisions: RevisionRepository;
  storage: ObjectStorage;
  outbound: OutboundClient;
  chunkIndex: ChunkIndex;
  outbox: OutboxService;
  settings: Pick<Settings, 'uploadMaxBytes' | 'readingBaseMs' | 'readingMsPerMb' | 'readingMaxMs'>;
}

interface ReadOriginal {
  summary: ExtractionSummary;
  batches: SearchableChunk[][];
  sizeBytes: number;
}

const FETCH_TIMEOUT_MS = 60_000;
const ROBOTS_LIFETIME_MS = 10 * 60_000;
const BYTES_PER_MB = 1024 * 1024;
const TITLE_MAX_LENGTH = 500;

/** The steps of an ingestion. Each answers null, or does nothing, when the revision is no longer current. */
export class IngestionService {
  readonly #deps: IngestionServiceDeps;
  #robots: { policy: RobotsPolicy; expiresAt: number } | undefined;

  constructor(deps: IngestionServiceDeps) {
    this.#deps = deps;
  }

  async begin(scope: OrgScope, revision: Revision): Promise<{ mustFetch: boolean } | null> {
    const document = await this.#deps.revisions.begin(scope, revision);
    return document && { mustFetch: document.sourceType === 'url' };
  }

  /**
   * Downloads the document's URL, as far as its robots.txt allows, and keeps the answer as its original.
   * @throws OutboundError, WebSourceError
   */
  async fetchSource(
    scope: OrgScope,
    revision: Revision,
    signal?: AbortSignal,
  ): Promise<{ sizeBytes: number } | null> {
    const { revisions, outbound, storage, settings } = this.#deps;
    const document = await revisions.find(scope, revision);
    if (!document?.sourceUrl) return null;
    const { body, contentType } = await fetchPage(outbound, document.sourceUrl, {
      timeoutMs: FETCH_TIMEOUT_MS,
      maxBytes: settings.uploadMaxBytes,
      robots: this.#robotsPolicy(),
      signal,
    });
    const place = { ...revision, orgId: scope.orgId, parentId: document.parentId };
    const storageKey = originalKey(place, revision.revision);
    const { sizeBytes } = await storage.put(storageKey, Readable.from([body]));
    const isCurrent = await revisions.change(scope, revision, {
      storageKey,
      sizeBytes,
      mimeType: contentType,
    });
    if (!isCurrent) await storage.delete(storageKey);
    else if (document.storageKey !== null && document.storageKey !== storageKey) {
      await storage.delete(document.storageKey);
    }
    return isCurrent ? { sizeBytes } : null;
  }

  /**
   * Reads the original and puts its chunks in the place of those indexed before. The chunks are collected before
   * the transaction begins, so that a document that is slow to read locks nothing.
   * @throws UnreadableDocument
   */
  async index(scope: OrgScope, revision: Revision, signal?: AbortSignal): Promise<IndexedDocument | null> {
    const { revisions } = this.#deps;
    const document = await revisions.find(scope, revision);
    if (document) {
      const original = await this.#readOriginal(document, signal);
      await inTransaction(scope, async (inside) => {
        const current = await revisions.lock(inside, revision);
        if (current) await this.#replace(inside, current, original);
      });
    }
    // Also tells what an attempt has indexed whose worker ended before it could answer.
    return revisions.findIndexed(scope, revision);
  }

  /** Ends the revision as failed; the chunks of the one before stay searchable. */
  async fail(scope: OrgScope, revision: Revision, reason: string): Promise<void> {
    await inTransaction(scope, async (inside) => {
      const document = await this.#deps.revisions.lock(inside, revision);
      if (!document) return;
      const kept = document.chunkCount > 0 ? ' What was indexed before stays searchable.' : '';
      const errorMessage = `${reason}${kept}`;
      await this.#deps.revisions.change(inside, revision, { status: 'failed', errorMessage });
      const data = { ...documentEventData(document), reason: errorMessage };
      await this.#deps.outbox.event(inside, 'document.failed', data, document.botId);
    });
  }

  async #readOriginal(document: Document, signal?: AbortSignal): Promise<ReadOriginal> {
    const { storageKey, filename, mimeType } = document;
    if (storageKey === null) throw new Error(`Document ${document.id} has no original.`);
    const folder = await mkdtemp(join(tmpdir(), 'parley-ingest-'));
    try {
      const path = join(folder, 'original');
      const { content, sizeBytes } = await this.#deps.storage.open(storageKey);
      await pipeline(content, createWriteStream(path), { signal });
      const batches: SearchableChunk[][] = [];
      const summary = await extractAndChunk(
        { path, filename, mimeType },
        (chunks) => void batches.push(chunks),
        {
          title: document.title || null,
          timeoutMs: this.#readingTimeMs(sizeBytes),
          ...(signal && { signal }),
        },
      );
      return { summary, batches, sizeBytes };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** A small document gets seconds: what is slow to read for its size was made to be, and others wait. */
  #readingTimeMs(sizeBytes: number): number {
    const { readingBaseMs, readingMsPerMb, readingMaxMs } = this.#deps.settings;
    return Math.min(readingBaseMs + (sizeBytes / BYTES_PER_MB) * readingMsPerMb, readingMaxMs);
  }

  async #replace(scope: OrgScope, document: Document, original: ReadOriginal): Promise<void> {
    const { summary, batches, sizeBytes } = original;
    const { mimeType, searchConfig } = summary;
    const title = document.title || cutText(summary.title || titleOf(document), TITLE_MAX_LENGTH);
    const { id: documentId, botId, chunkCount: formerCount } = document;
    const { chunkCount, tokenCount } = await this.#deps.chunkIndex.replaceChunks(
      scope,
      { botId, documentId, title },
      batches,
      searchConfig,
    );
    const facts = { title, mimeType, sizeBytes, chunkCount, tokenCount };
    await this.#deps.revisions.complete(scope, document, facts);
    await this.#deps.bots.countChunks(scope, botId, chunkCount - formerCount);
    const counts = { chunk_count: chunkCount, token_count: tokenCount };
    const data = { ...documentEventData({ ...document, title }), ...counts };
    await this.#deps.outbox.event(scope, 'document.indexed', data, botId);
  }

  /** Shared by all pages, so that the pace a site asks for is kept; renewed, so that changed rules are seen. */
  #robotsPolicy(): RobotsPolicy {
    const now = performance.now();
    if (!this.#robots || this.#robots.expiresAt < now) {
      this.#robots = {
        policy: new RobotsPolicy(this.#deps.outbound),
        expiresAt: now + ROBOTS_LIFETIME_MS,
      };
    }
    return this.#robots.policy;
  }
}
