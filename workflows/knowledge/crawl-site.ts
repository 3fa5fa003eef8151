import {
  CancellationScope,
  executeChild,
  isCancellation,
  patched,
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { CrawlActivities } from '../../activities/knowledge/crawl.activities.ts';
import type { IngestionActivities } from '../../activities/knowledge/ingestion.activities.ts';
import { factsOf, ingestDocument, type IngestState } from './ingest-document.ts';
import { databaseActivity, patientRetry } from '../shared/activity-options.ts';
import { ingestWorkflowId, type CrawlSiteInput, type IngestDocumentInput } from '../shared/commands.ts';
import { reasonOf } from '../shared/failures.ts';
import { counted, detailsOf } from '../shared/format.ts';
import { searchAttributes } from '../shared/search-attributes.ts';
import { taskQueuesOf } from '../shared/task-queues.ts';

/** Of one site; its robots.txt may ask for an even slower pace. */
const PAGES_AT_ONCE = 3;
/** Few enough that operators see a crawl go on. */
const BATCH_SIZE = 20;

const { beginCrawl, finishCrawl, failCrawl } = proxyActivities<CrawlActivities>(databaseActivity);

type Discovery = NonNullable<Awaited<ReturnType<CrawlActivities['discoverPages']>>>;
type RegisteredPage = Discovery['pages'][number];
type PageOutcome = Awaited<ReturnType<IngestionActivities['ingestPages']>>[number];

interface Counts {
  found: number;
  pages: number;
  indexed: number;
  skipped: number;
}

/** Reads a sitemap and ingests its pages, each as a document of its own, in batches; what a batch cannot do is a child workflow. */
export async function crawlSite(input: CrawlSiteInput): Promise<IngestState> {
  try {
    const state = await crawl(input);
    enter(state);
    return state;
  } catch (error) {
    const reason = isCancellation(error) ? 'The indexing was cancelled.' : reasonOf(error);
    await CancellationScope.nonCancellable(() => failCrawl({ ...input, reason }));
    enter(isCancellation(error) ? 'cancelled' : 'failed');
    setCurrentDetails(detailsOf('Phase: failed', [reason]));
    if (isCancellation(error)) throw error;
    return 'failed';
  }
}

async function crawl(input: CrawlSiteInput): Promise<IngestState> {
  if (!(await beginCrawl(input))) return 'superseded';
  enter('fetching');
  const discovery = await discoverer()(input);
  if (discovery === null) return 'superseded';
  const { pages, found, skippedCount } = discovery;
  const counts: Counts = { found, pages: pages.length, indexed: 0, skipped: skippedCount };
  const lines: string[] = [];
  show('fetching', counts, lines);
  const left = patched('pages-in-batches') ? await ingestInBatches(input, pages, counts, lines) : pages;
  await forEachAtOnce(PAGES_AT_ONCE, left, async (page) => {
    const isIndexed = await ingestPage({ ...input, ...page });
    counts[isIndexed ? 'indexed' : 'skipped'] += 1;
    show('fetching', counts, lines);
  });
  const outcome = await finishCrawl({ ...input, discovery });
  if (outcome === null) return 'superseded';
  show(outcome.state, { ...counts, indexed: outcome.fetched, skipped: outcome.skipped }, lines);
  return outcome.state;
}

/** Returns the pages that need a workflow of their own: what is large, slow, out of turn, or failed for a moment. */
async function ingestInBatches(
  { orgId, botId }: CrawlSiteInput,
  pages: RegisteredPage[],
  counts: Counts,
  lines: string[],
): Promise<RegisteredPage[]> {
  const ingestPages = batches();
  const later: RegisteredPage[] = [];
  for (let waiting = pages; waiting.length > 0;) {
    const outcomes = await ingestPages({ orgId, botId, pages: waiting.slice(0, BATCH_SIZE) });
    const ended = new Map(outcomes.map((outcome) => [outcome.documentId, outcome]));
    later.push(...waiting.filter(({ documentId }) => ended.get(documentId)?.state === 'later'));
    waiting = waiting.filter(({ documentId }) => !ended.has(documentId));
    for (const outcome of outcomes) {
      if (outcome.state === 'later') continue;
      counts[outcome.state === 'indexed' ? 'indexed' : 'skipped'] += 1;
      lines.push(lineOf(outcome));
    }
    show('fetching', counts, lines);
  }
  return later;
}

function lineOf(outcome: PageOutcome): string {
  const { documentId, state } = outcome;
  if (state === 'failed') return `${documentId} failed: ${outcome.reason}`;
  return state === 'indexed' ? `${documentId} indexed: ${factsOf(outcome)}` : `${documentId} ${state}`;
}

/** Returns whether the page was indexed. @throws only when the crawl itself is cancelled */
async function ingestPage(page: IngestDocumentInput): Promise<boolean> {
  try {
    const state = await executeChild(ingestDocument, {
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
    return state === 'indexed';
  } catch (error) {
    if (CancellationScope.current().consideredCancelled) throw error;
    return false;
  }
}

function discoverer(): CrawlActivities['discoverPages'] {
  return proxyActivities<CrawlActivities>({
    taskQueue: taskQueuesOf(workflowInfo().taskQueue).fetch,
    startToCloseTimeout: '3m',
    heartbeatTimeout: '10s',
    retry: patientRetry,
    summary: 'Read the sitemap and register its pages',
  }).discoverPages;
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

function batches(): IngestionActivities['ingestPages'] {
  return proxyActivities<IngestionActivities>({
    taskQueue: taskQueuesOf(workflowInfo().taskQueue).fetch,
    startToCloseTimeout: '4m',
    heartbeatTimeout: '10s',
    retry: patientRetry,
    summary: 'Download some pages, keep them as originals, extract their text and index it',
  }).ingestPages;
}

/** @param lines of the pages that are done */
function show(state: IngestState, { found, pages, indexed, skipped }: Counts, lines: string[]): void {
  const facts = [
    `found: ${counted(found, 'page')}, of which ${pages} are fetched`,
    `indexed: ${counted(indexed, 'page')}`,
    `skipped: ${counted(skipped, 'page')}`,
  ];
  setCurrentDetails(detailsOf(`Phase: ${state}`, [...facts, ...lines]));
}
