import {
  CancellationScope,
  executeChild,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { CrawlActivities } from '../../activities/knowledge/crawl.activities.ts';
import type { IngestionActivities } from '../../activities/knowledge/ingestion.activities.ts';
import { summarizeIndexed, ingestDocument, type IngestState } from './ingest-document.ts';
import { databaseActivity, patientRetry } from '../shared/activity-options.ts';
import { runInTurn } from '../shared/run-in-turn.ts';
import {
  ingestWorkflowId,
  type CrawlSiteInput,
  type IngestDocumentInput,
} from '../../core/workflows/commands.ts';
import { describeIngestFailure } from '../../core/workflows/failures.ts';
import { MAX_SKIPPED_PAGES } from '../../core/workflows/crawl-limits.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';

/**
 * Number of a website's pages that a crawl reads at the same time. The website's robots.txt may ask for a
 * slower pace.
 */
const PAGES_AT_ONCE = 3;
/**
 * Maximum number of links in a row that a crawl follows from the website's first page. The last one only
 * finds canonical URLs that the farthest pages name.
 */
const LINK_STEPS = 3;
/** Number of web pages in a batch of a crawl. The number is small, so that operators see the progress. */
const BATCH_SIZE = 20;

const { beginCrawl, finishCrawl, failCrawl } = proxyActivities<CrawlActivities>(databaseActivity);

type Discovery = Exclude<Awaited<ReturnType<CrawlActivities['discoverPages']>>, 'out_of_turn' | null>;
type RegisteredPage = Discovery['pages'][number];
type PageOutcome = Exclude<Awaited<ReturnType<IngestionActivities['ingestPages']>>, 'out_of_turn'>[number];

interface Counts {
  found: number;
  pages: number;
  indexed: number;
  unchanged: number;
  skipped: number;
}

/**
 * Finds the pages of a website by its sitemap or, without one, by following links. Indexes the pages in
 * batches, each as a document. A page that a batch cannot index gets a child workflow.
 */
export async function crawlSite(input: CrawlSiteInput): Promise<IngestState> {
  try {
    const state = await crawl(input);
    enter(state);
    return state;
  } catch (error) {
    const reason = isCancellation(error) ? 'The indexing was canceled.' : describeIngestFailure(error);
    await CancellationScope.nonCancellable(() => failCrawl({ ...input, reason }));
    enter(isCancellation(error) ? 'cancelled' : 'failed');
    setCurrentDetails(formatDetails('Phase: failed', [reason]));
    if (isCancellation(error)) throw error;
    return 'failed';
  }
}

async function crawl(input: CrawlSiteInput): Promise<IngestState> {
  if (!(await beginCrawl(input))) return 'superseded';
  enter('fetching');
  const discovery = await runInTurn((ticket) => fetchActivities().discoverPages({ ...input, ...ticket }));
  if (discovery === null) return 'superseded';
  const { pages, found, skippedCount } = discovery;
  const counts: Counts = { found, pages: pages.length, indexed: 0, unchanged: 0, skipped: skippedCount };
  const lines: string[] = [];
  showCrawlDetails('fetching', counts, lines);
  await ingestPages(input, pages, counts, lines);
  const fullDiscovery =
    discovery.root === undefined ? discovery : await followLinks(input, discovery, counts, lines);
  if (fullDiscovery === null) return 'superseded';
  const outcome = await finishCrawl({ ...input, discovery: fullDiscovery, unchanged: counts.unchanged });
  if (outcome === null) return 'superseded';
  if (outcome.removed > 0)
    lines.unshift(`removed: ${pluralize(outcome.removed, 'page')} that the site no longer has`);
  if (outcome.note) lines.unshift(outcome.note);
  showCrawlDetails(outcome.state, { ...counts, indexed: outcome.fetched, skipped: outcome.skipped }, lines);
  return outcome.state;
}

async function ingestPages(
  input: CrawlSiteInput,
  pages: RegisteredPage[],
  counts: Counts,
  lines: string[],
): Promise<void> {
  const laterPages = await ingestInBatches(input, pages, counts, lines);
  await forEachAtOnce(PAGES_AT_ONCE, laterPages, async (page) => {
    countOutcome(counts, await ingestPage({ ...input, ...page, isRefresh: true }));
    showCrawlDetails('fetching', counts, lines);
  });
}

/**
 * Finds and indexes the pages of a website without a sitemap, by following links. Returns all pages that were
 * found.
 */
async function followLinks(
  input: CrawlSiteInput,
  first: Discovery,
  counts: Counts,
  lines: string[],
): Promise<Discovery | null> {
  let discovery = first;
  let level = first.pages;
  for (let depth = 1; depth <= LINK_STEPS && level.length > 0; depth += 1) {
    const links = { ...input, level, depth, discovery };
    const next = await runInTurn((ticket) => fetchActivities().followLinks({ ...links, ...ticket }));
    if (next === null) return null;
    level = next.pages;
    const pages = [...discovery.pages, ...level];
    counts.skipped += next.skippedCount - discovery.skippedCount;
    discovery = {
      ...next,
      pages,
      skipped: [...discovery.skipped, ...next.skipped].slice(0, MAX_SKIPPED_PAGES),
    };
    counts.found = next.found;
    counts.pages = pages.length;
    await ingestPages(input, level, counts, lines);
  }
  return discovery;
}

function countOutcome(counts: Counts, state: PageOutcome['state'] | IngestState): void {
  counts[state === 'indexed' || state === 'unchanged' ? 'indexed' : 'skipped'] += 1;
  if (state === 'unchanged') counts.unchanged += 1;
}

/**
 * Indexes a website's pages in batches. Returns the pages that need a workflow of their own: they are large
 * or slow, found no free slot, or failed temporarily.
 */
async function ingestInBatches(
  { orgId, botId }: CrawlSiteInput,
  pages: RegisteredPage[],
  counts: Counts,
  lines: string[],
): Promise<RegisteredPage[]> {
  const { ingestPages: ingestBatch } = fetchActivities();
  const later: RegisteredPage[] = [];
  for (let waiting = pages; waiting.length > 0;) {
    const batch = { orgId, botId, pages: waiting.slice(0, BATCH_SIZE) };
    const outcomes = await runInTurn((ticket) => ingestBatch({ ...batch, ...ticket }));
    const ended = new Map(outcomes.map((outcome) => [outcome.documentId, outcome]));
    later.push(...waiting.filter(({ documentId }) => ended.get(documentId)?.state === 'later'));
    waiting = waiting.filter(({ documentId }) => !ended.has(documentId));
    for (const outcome of outcomes) {
      if (outcome.state === 'later') continue;
      countOutcome(counts, outcome.state);
      lines.push(describeOutcome(outcome));
    }
    showCrawlDetails('fetching', counts, lines);
  }
  return later;
}

function describeOutcome(outcome: PageOutcome): string {
  const { documentId, state } = outcome;
  if (state === 'failed') return `${documentId} failed: ${outcome.reason}`;
  return state === 'indexed'
    ? `${documentId} indexed: ${summarizeIndexed(outcome)}`
    : `${documentId} ${state}`;
}

/**
 * Indexes a page of a website in a child workflow.
 * @throws the cancellation, if the crawl itself is canceled
 */
async function ingestPage(page: IngestDocumentInput): Promise<IngestState> {
  try {
    return await executeChild(ingestDocument, {
      workflowId: ingestWorkflowId(page.documentId, page.revision),
      args: [page],
      parentClosePolicy: 'REQUEST_CANCEL',
      staticSummary: 'Index a page of a site',
      typedSearchAttributes: [
        { key: searchAttributes.orgId, value: page.orgId },
        { key: searchAttributes.botId, value: page.botId },
        { key: searchAttributes.documentId, value: page.documentId },
      ],
    });
  } catch (error) {
    if (CancellationScope.current().consideredCancelled) throw error;
    return 'failed';
  }
}

function fetchActivities(): Pick<CrawlActivities, 'discoverPages' | 'followLinks'> &
  Pick<IngestionActivities, 'ingestPages'> {
  const common = {
    taskQueue: nameTaskQueues(workflowInfo().taskQueue).fetch,
    startToCloseTimeout: '4m',
    heartbeatTimeout: '10s',
    retry: patientRetry,
  } as const;
  const summaries = {
    discoverPages: 'Read the sitemap and register its pages',
    followLinks: 'Register the pages that links lead to',
    ingestPages: 'Download some pages, store them as originals, extract their text and index it',
  };
  const { discoverPages } = proxyActivities<CrawlActivities>({ ...common, summary: summaries.discoverPages });
  const { followLinks: follow } = proxyActivities<CrawlActivities>({
    ...common,
    summary: summaries.followLinks,
  });
  const { ingestPages: ingest } = proxyActivities<IngestionActivities>({
    ...common,
    startToCloseTimeout: '5m',
    summary: summaries.ingestPages,
  });
  return { discoverPages, followLinks: follow, ingestPages: ingest };
}

async function forEachAtOnce<T>(limit: number, items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const takeTurns = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: limit }, takeTurns));
}

function enter(state: IngestState): void {
  upsertSearchAttributes([{ key: searchAttributes.ingestState, value: state }]);
}

/**
 * Shows operators the state of a website's crawl.
 * @param lines one line for each page whose indexing has ended
 */
function showCrawlDetails(
  state: IngestState,
  { found, pages, indexed, unchanged, skipped }: Counts,
  lines: string[],
): void {
  const facts = [
    `found: ${pluralize(found, 'page')}, of which ${pages} are fetched`,
    `indexed: ${pluralize(indexed, 'page')}${unchanged > 0 ? `, of which ${unchanged} had not changed` : ''}`,
    `skipped: ${pluralize(skipped, 'page')}`,
  ];
  setCurrentDetails(formatDetails(`Phase: ${state}`, [...facts, ...lines]));
}
