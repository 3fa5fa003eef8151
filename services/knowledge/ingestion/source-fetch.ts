import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { OutboundError } from '../../../adapters/http/outbound-error.ts';
import {
  fetchPage,
  type FetchedPage,
  type FetchPageOptions,
  type PageValidators,
} from '../../../adapters/web/fetch-page.ts';
import { normalizeHost } from '../../../adapters/web/link-address.ts';
import { buildPageKey } from '../../../adapters/web/page-key.ts';
import { readPageMetadataInThread } from '../../../adapters/web/page-tasks.ts';
import { RobotsPolicy } from '../../../adapters/web/robots-policy.ts';
import { WebSourceError } from '../../../adapters/web/web-source-error.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { Document, GonePage } from '../../../entities/knowledge/document.entity.ts';
import type { Revision, RevisionRepository } from '../../../repositories/knowledge/revision.repository.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { findPayerId } from '../../requests/payer-queue.ts';
import { documentEventData } from '../document-events.ts';
import type { Originals } from '../originals.ts';
import { originalKey } from '../../../core/storage-keys.ts';

export type FetchLimits = Pick<FetchPageOptions, 'timeoutMs' | 'maxBytes'>;

/**
 * Reasons for ending a document's revision without indexing its page: the page is unchanged, excluded from
 * the index, or missing.
 */
export type EarlyEnd = 'unchanged' | 'left_out' | 'gone';

interface Exclusion extends GonePage {
  /**
   * The canonical page that a web page names, which has the same content. `mayStillBeFound` is true if this
   * crawl follows links and may therefore still find the canonical page.
   */
  canonicalPage?: { url: string; mayStillBeFound: boolean };
}

export interface SourceFetchDeps {
  revisions: RevisionRepository;
  originals: Originals;
  outbound: OutboundClient;
  outbox: OutboxService;
}

const ROBOTS_LIFETIME_MS = 10 * 60_000;

/** Downloads the URLs of documents, and skips the pages that have not changed. */
export class SourceFetch {
  readonly #deps: SourceFetchDeps;
  #robots: { policy: RobotsPolicy; expiresAt: number } | undefined;

  constructor(deps: SourceFetchDeps) {
    this.#deps = deps;
  }

  /**
   * Downloads the document's URL if robots.txt allows it, and stores the response as its original.
   * @throws OutboundError, WebSourceError, UnreadableDocument; AppError `key_unavailable`
   */
  async fetch(
    scope: OrgScope,
    revision: Revision,
    { signal, ...limits }: FetchLimits & { signal: AbortSignal | undefined },
  ): Promise<{ sizeBytes: number } | EarlyEnd | null> {
    const { revisions, outbound, originals } = this.#deps;
    const document = await revisions.find(scope, revision);
    if (!document?.sourceUrl) return null;
    await originals.prepare(scope.orgId);
    const site = revision.isRefresh ? await revisions.findSite(scope, document) : null;
    let page: FetchedPage | null;
    try {
      const validators = selectValidators(document, revision);
      const robots = this.#robotsPolicy();
      page = await fetchPage(outbound, document.sourceUrl, {
        ...limits,
        robots,
        signal,
        ifChangedSince: validators,
      });
    } catch (error) {
      if (
        !(error instanceof WebSourceError) ||
        !error.isGone ||
        !site ||
        !mayBeFromEarlierCrawl(document, site)
      )
        throw nameSizeSetting(error);
      return this.#endAsExcluded(scope, revision, { kind: 'missing', reason: error.message });
    }
    if (page === null) return this.endUnchanged(scope, revision, {});
    return this.#storePage(scope, revision, document, site, page);
  }

  /** Ends a document's refresh that found no changes. */
  async endUnchanged(
    scope: OrgScope,
    revision: Revision,
    facts: Partial<Pick<Document, 'fetched' | 'indexedSha256'>>,
  ): Promise<'unchanged' | null> {
    const { revisions, outbox } = this.#deps;
    return inTransaction(scope, async (tx) => {
      const document = await revisions.lock(tx, revision);
      if (!document) return null;
      const { failedAt, indexedAt, botId, chunkCount, tokenCount } = document;
      const hadFailed = failedAt !== null && (indexedAt === null || failedAt > indexedAt);
      await revisions.update(tx, revision, {
        ...facts,
        status: 'indexed',
        errorMessage: null,
        ...(hadFailed && { indexedAt: () => 'now()' }),
      });
      if (!hadFailed) return 'unchanged';
      const counts = { chunk_count: chunkCount, token_count: tokenCount };
      await outbox.event(tx, 'document.indexed', { ...documentEventData(document), ...counts }, botId);
      return 'unchanged';
    });
  }

  /**
   * Ends a document's revision whose page has the same text as another page of its website. Returns false if
   * no other page has this text.
   */
  async skipDuplicate(scope: OrgScope, document: Document, textSha256: string): Promise<boolean> {
    const { id: documentId, parentId, botId, revision } = document;
    if (parentId === null) return false;
    const { revisions } = this.#deps;
    await revisions.lockPages(scope, parentId);
    const url = await revisions.findDuplicateUrl(scope, document, textSha256);
    if (url === null) return false;
    await this.#markGone(scope, document, { documentId, botId, revision }, toDuplicateReason(url));
    return true;
  }

  async #storePage(
    scope: OrgScope,
    revision: Revision,
    document: Document,
    site: Document | null,
    page: FetchedPage,
  ): Promise<{ sizeBytes: number } | EarlyEnd | null> {
    const sha256 = createHash('sha256').update(page.body).digest('hex');
    const { etag, lastModified, url, robots } = page;
    const fetched = { sha256, etag, lastModified, url, robots };
    const exclusion = site && (await this.#findExclusion(scope, document, site, page));
    // A failed refresh may have stored an original file that differs from the indexed original.
    const isUnchanged = document.indexedSha256 === sha256 && document.fetched?.sha256 === sha256;
    if (!exclusion && revision.isRefresh && isIndexed(document) && isUnchanged) {
      return this.endUnchanged(scope, revision, { fetched });
    }
    const stored = await this.#storeOriginal(scope, revision, document, { ...page, fetched });
    if (!stored || !exclusion) return stored;
    return (await this.#endAsExcluded(scope, revision, exclusion)) ?? stored;
  }

  async #storeOriginal(
    scope: OrgScope,
    revision: Revision,
    document: Document,
    { body, contentType, fetched }: Pick<FetchedPage, 'body' | 'contentType'> & Pick<Document, 'fetched'>,
  ): Promise<{ sizeBytes: number } | null> {
    const { revisions, originals } = this.#deps;
    const documentIds = { ...revision, orgId: scope.orgId, parentId: document.parentId };
    const key = originalKey(documentIds, revision.revision);
    const { sha256: _, ...original } = await originals.put(scope.orgId, key, Readable.from([body]));
    const { storageKey, sizeBytes } = original;
    const isCurrent = await revisions.update(scope, revision, {
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

  async #findExclusion(
    scope: OrgScope,
    document: Document,
    site: Document,
    page: FetchedPage,
  ): Promise<Exclusion | null> {
    const sourceUrl = document.sourceUrl ?? '';
    const followsLinks = site.crawlProgress?.isByLinks === true;
    if (followsLinks && normalizeHost(page.url) !== normalizeHost(sourceUrl)) {
      return { kind: 'left_out', reason: `The page redirects to another site: ${page.url}` };
    }
    const { isNoindex, canonical } = await readPageMetadataInThread(page, {
      payerId: await findPayerId(scope),
    });
    if (isNoindex) return { kind: 'left_out', reason: 'The page is marked noindex, so it is not indexed.' };
    if (
      canonical === null ||
      [sourceUrl, page.url].some((url) => buildPageKey(url) === buildPageKey(canonical))
    )
      return null;
    // Keeps the page if its canonical URL is on another host: the crawl does not read that host, so the
    // content would be lost.
    if (normalizeHost(canonical) !== normalizeHost(page.url)) return null;
    const reason = `The page names a different canonical page: ${canonical}`;
    return { kind: 'left_out', reason, canonicalPage: { url: canonical, mayStillBeFound: followsLinks } };
  }

  /**
   * Ends the document's revision because its page is excluded or missing. Returns null if the page must stay,
   * or if the revision is no longer current.
   */
  #endAsExcluded(
    scope: OrgScope,
    revision: Revision,
    { canonicalPage, ...gone }: Exclusion,
  ): Promise<'left_out' | 'gone' | null> {
    const { revisions } = this.#deps;
    return inTransaction(scope, async (tx) => {
      const document = await revisions.lock(tx, revision);
      if (!document?.parentId) return null;
      await revisions.lockPages(tx, document.parentId);
      if (canonicalPage) {
        const listed = await revisions.findListed(tx, document, canonicalPage.url);
        // Keeps the page if its canonical page was not found or is excluded as well, because then no other
        // page has the content.
        if (listed ? listed.gone !== null : !canonicalPage.mayStillBeFound) return null;
      }
      await this.#markGone(tx, document, revision, gone);
      return gone.kind === 'missing' ? 'gone' : 'left_out';
    });
  }

  /** Marks the page as gone from its website. Its row and chunks are deleted at the end of the crawl. */
  async #markGone(scope: OrgScope, document: Document, revision: Revision, gone: GonePage): Promise<void> {
    await this.#deps.revisions.update(scope, revision, {
      status: isIndexed(document) ? 'indexed' : 'failed',
      errorMessage: gone.reason,
      gone,
    });
  }

  /**
   * Returns the cache of robots.txt files that all pages share, so that requests respect a website's crawl
   * delay. Replaces the cache from time to time, so that changed rules take effect.
   */
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

/** Builds the reason for excluding a web page whose text is indexed under another URL. */
export function toDuplicateReason(url: string): GonePage {
  return { kind: 'left_out', reason: `The page has the same content as ${url}.` };
}

/** Returns true if the document has chunks, which searches can find. */
export function isIndexed({ chunkCount }: Document): boolean {
  return chunkCount > 0;
}

/**
 * Returns true if an earlier crawl may have found the page. A page that fails in its first crawl stays, with
 * an error message.
 */
function mayBeFromEarlierCrawl(document: Document, site: Document): boolean {
  return isIndexed(document) || site.revision > 1;
}

/**
 * Returns the ETag and date of the response from which the document's chunks were created, for a conditional
 * request. Null if the page must be indexed even if it is unchanged.
 */
function selectValidators(document: Document, { isRefresh }: Revision): PageValidators | null {
  const { fetched, indexedSha256 } = document;
  return isRefresh && isIndexed(document) && fetched !== null && fetched.sha256 === indexedSha256
    ? fetched
    : null;
}

/** Adds the name of the setting for the maximum size to the error of a page that exceeds it. */
function nameSizeSetting(error: unknown): unknown {
  if (!(error instanceof OutboundError) || error.kind !== 'too_large') return error;
  return new OutboundError(error.kind, `${error.message} An operator can raise PARLEY_UPLOAD_MAX_BYTES.`, {
    cause: error,
  });
}
