import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import {
  fetchPage,
  type FetchedPage,
  type FetchPageOptions,
  type PageValidators,
} from '../../../adapters/web/fetch-page.ts';
import { hostOf } from '../../../adapters/web/link-address.ts';
import { pageKey } from '../../../adapters/web/page-key.ts';
import { readSignsInThread } from '../../../adapters/web/page-tasks.ts';
import { RobotsPolicy } from '../../../adapters/web/robots-policy.ts';
import { WebSourceError } from '../../../adapters/web/web-source-error.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { Document, GonePage } from '../../../entities/knowledge/document.entity.ts';
import type { Revision, RevisionRepository } from '../../../repositories/knowledge/revision.repository.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { documentEventData } from '../document-events.ts';
import type { Originals } from '../originals.ts';
import { originalKey } from '../../../core/storage-keys.ts';

export type FetchLimits = Pick<FetchPageOptions, 'timeoutMs' | 'maxBytes'>;

/** How a revision ends without being indexed: the page is as it was, does not belong into the index, or is no more. */
export type QuickEnd = 'unchanged' | 'left_out' | 'gone';

interface Leave extends GonePage {
  /** The page that says the same; `isToBeFound` where links to it are followed. */
  original?: { url: string; isToBeFound: boolean };
}

export interface SourceFetchDeps {
  revisions: RevisionRepository;
  originals: Originals;
  outbound: OutboundClient;
  outbox: OutboxService;
}

const ROBOTS_LIFETIME_MS = 10 * 60_000;

/** Gets documents that have an address, as far as there is something new. */
export class SourceFetch {
  readonly #deps: SourceFetchDeps;
  #robots: { policy: RobotsPolicy; expiresAt: number } | undefined;

  constructor(deps: SourceFetchDeps) {
    this.#deps = deps;
  }

  /**
   * Downloads the document's URL, as far as its robots.txt allows, and keeps the answer as its original.
   * @throws OutboundError, WebSourceError, UnreadableDocument; AppError `key_unavailable`
   */
  async fetch(
    scope: OrgScope,
    revision: Revision,
    { signal, ...limits }: FetchLimits & { signal: AbortSignal | undefined },
  ): Promise<{ sizeBytes: number } | QuickEnd | null> {
    const { revisions, outbound, originals } = this.#deps;
    const document = await revisions.find(scope, revision);
    if (!document?.sourceUrl) return null;
    await originals.prepare(scope.orgId);
    const site = revision.isRefresh ? await revisions.findSite(scope, document) : null;
    let page: FetchedPage | null;
    try {
      const unless = validatorsOf(document, revision);
      const robots = this.#robotsPolicy();
      page = await fetchPage(outbound, document.sourceUrl, { ...limits, robots, signal, unless });
    } catch (error) {
      if (!(error instanceof WebSourceError) || !error.isGone || !site || !isFormer(document, site))
        throw error;
      return this.#takeLeave(scope, revision, { kind: 'missing', reason: error.message });
    }
    if (page === null) return this.keepAsIs(scope, revision, {});
    return this.#take(scope, revision, document, site, page);
  }

  /** Ends a revision that has found nothing new. */
  async keepAsIs(
    scope: OrgScope,
    revision: Revision,
    facts: Partial<Pick<Document, 'fetched' | 'indexedSha256'>>,
  ): Promise<'unchanged' | null> {
    const { revisions, outbox } = this.#deps;
    return inTransaction(scope, async (inside) => {
      const document = await revisions.lock(inside, revision);
      if (!document) return null;
      const { failedAt, indexedAt, botId, chunkCount, tokenCount } = document;
      const hadFailed = failedAt !== null && (indexedAt === null || failedAt > indexedAt);
      await revisions.change(inside, revision, {
        ...facts,
        status: 'indexed',
        errorMessage: null,
        ...(hadFailed && { indexedAt: () => 'now()' }),
      });
      if (!hadFailed) return 'unchanged';
      const counts = { chunk_count: chunkCount, token_count: tokenCount };
      await outbox.event(inside, 'document.indexed', { ...documentEventData(document), ...counts }, botId);
      return 'unchanged';
    });
  }

  /** Ends a revision whose page says what another one of the same site does; false if there is none. */
  async leaveOutTwin(scope: OrgScope, document: Document, textSha256: string): Promise<boolean> {
    const { id: documentId, parentId, botId, revision } = document;
    if (parentId === null) return false;
    const { revisions } = this.#deps;
    await revisions.lockPagesOf(scope, parentId);
    const url = await revisions.findTwin(scope, document, textSha256);
    if (url === null) return false;
    await this.#leave(scope, document, { documentId, botId, revision }, sayingTheSame(url));
    return true;
  }

  async #take(
    scope: OrgScope,
    revision: Revision,
    document: Document,
    site: Document | null,
    page: FetchedPage,
  ): Promise<{ sizeBytes: number } | QuickEnd | null> {
    const sha256 = createHash('sha256').update(page.body).digest('hex');
    const { etag, lastModified, url, robots } = page;
    const fetched = { sha256, etag, lastModified, url, robots };
    const gone = site && (await this.#whyLeftOut(document, site, page));
    if (!gone && revision.isRefresh && isIndexed(document) && document.indexedSha256 === sha256) {
      return this.keepAsIs(scope, revision, { fetched });
    }
    const kept = await this.#keepOriginal(scope, revision, document, { ...page, fetched });
    if (!kept || !gone) return kept;
    return (await this.#takeLeave(scope, revision, gone)) ?? kept;
  }

  async #keepOriginal(
    scope: OrgScope,
    revision: Revision,
    document: Document,
    { body, contentType, fetched }: Pick<FetchedPage, 'body' | 'contentType'> & Pick<Document, 'fetched'>,
  ): Promise<{ sizeBytes: number } | null> {
    const { revisions, originals } = this.#deps;
    const place = { ...revision, orgId: scope.orgId, parentId: document.parentId };
    const key = originalKey(place, revision.revision);
    const { sha256: _, ...original } = await originals.put(scope.orgId, key, Readable.from([body]));
    const { storageKey, sizeBytes } = original;
    const isCurrent = await revisions.change(scope, revision, {
      ...original,
      mimeType: contentType,
      fetched,
    });
    if (!isCurrent) await originals.delete(storageKey);
    else if (document.storageKey !== null && document.storageKey !== storageKey) {
      await originals.delete(document.storageKey);
    }
    return isCurrent ? { sizeBytes } : null;
  }

  async #whyLeftOut(document: Document, site: Document, page: FetchedPage): Promise<Leave | null> {
    const own = document.sourceUrl ?? '';
    const isByLinks = site.crawlProgress?.isByLinks === true;
    if (isByLinks && hostOf(page.url) !== hostOf(own)) {
      return { kind: 'left_out', reason: `It leads to another site: ${page.url}` };
    }
    const { isNoindex, canonical } = await readSignsInThread(page);
    if (isNoindex) return { kind: 'left_out', reason: 'It says noindex: it does not want to be found.' };
    if (canonical === null || [own, page.url].some((url) => pageKey(url) === pageKey(canonical))) return null;
    // Of another site nothing is read that could say it in the place of this page.
    if (hostOf(canonical) !== hostOf(page.url)) return null;
    const reason = `It names another page as its original: ${canonical}`;
    return { kind: 'left_out', reason, original: { url: canonical, isToBeFound: isByLinks } };
  }

  /** Null where the page stays after all, or the revision is no longer current. */
  #takeLeave(
    scope: OrgScope,
    revision: Revision,
    { original, ...gone }: Leave,
  ): Promise<'left_out' | 'gone' | null> {
    const { revisions } = this.#deps;
    return inTransaction(scope, async (inside) => {
      const document = await revisions.lock(inside, revision);
      if (!document?.parentId) return null;
      await revisions.lockPagesOf(inside, document.parentId);
      if (original) {
        const listed = await revisions.findListed(inside, document, original.url);
        // Where its original is not found, or left out as well, nothing else says what this page does.
        if (listed ? listed.gone !== null : !original.isToBeFound) return null;
      }
      await this.#leave(inside, document, revision, gone);
      return gone.kind === 'missing' ? 'gone' : 'left_out';
    });
  }

  /** What it has in the index goes with its row, at the end of the crawl. */
  async #leave(scope: OrgScope, document: Document, revision: Revision, gone: GonePage): Promise<void> {
    await this.#deps.revisions.change(scope, revision, {
      status: isIndexed(document) ? 'indexed' : 'failed',
      errorMessage: gone.reason,
      gone,
    });
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

/** Of a page that stands in the index under another address. */
export function sayingTheSame(url: string): GonePage {
  return { kind: 'left_out', reason: `It says the same as ${url}.` };
}

/** Whether answers can be drawn from it. */
export function isIndexed({ chunkCount }: Document): boolean {
  return chunkCount > 0;
}

/** One that the first crawl does not find at all stays as a document that says so. */
function isFormer(document: Document, site: Document): boolean {
  return isIndexed(document) || site.revision > 1;
}

/** Of what the present chunks were made of; null where everything is to be indexed anew. */
function validatorsOf(document: Document, { isRefresh }: Revision): PageValidators | null {
  const { fetched, indexedSha256 } = document;
  return isRefresh && isIndexed(document) && fetched !== null && fetched.sha256 === indexedSha256
    ? fetched
    : null;
}
