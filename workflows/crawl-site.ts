import {
  CancellationScope,
  executeChild,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { CrawlActivities } from '../activities/crawl.activities.ts';
import { ingestDocument, type IngestState } from './ingest-document.ts';
import { databaseActivity, patientRetry } from './shared/activity-options.ts';
import { ingestWorkflowId, type CrawlSiteInput, type IngestDocumentInput } from './shared/commands.ts';
import { reasonOf } from './shared/failures.ts';
import { counted, detailsOf } from './shared/format.ts';
import { searchAttributes } from './shared/search-attributes.ts';
import { taskQueuesOf } from './shared/task-queues.ts';

/** Of one site; its robots.txt may ask for an even slower pace. */
const PAGES_AT_ONCE = 3;

const { beginCrawl, finishCrawl, failCrawl } = proxyActivities<CrawlActivities>(databaseActivity);

interface Counts {
  found: number;
  pages: number;
  indexed: number;
  skipped: number;
}

/** Reads a sitemap and ingests its pages, each as a document and a child workflow of its own. */
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
  show('fetching', counts);
  await forEachAtOnce(PAGES_AT_ONCE, pages, async (page) => {
    const isIndexed = await ingestPage({ ...input, ...page });
    counts[isIndexed ? 'indexed' : 'skipped'] += 1;
    show('fetching', counts);
  });
  const outcome = await finishCrawl({ ...input, discovery });
  if (outcome === null) return 'superseded';
  show(outcome.state, { ...counts, indexed: outcome.fetched, skipped: outcome.skipped });
  return outcome.state;
}

/** Answers whether the page was indexed. @throws only when the crawl itself is cancelled */
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

function show(state: IngestState, { found, pages, indexed, skipped }: Counts): void {
  const facts = [
    `found: ${counted(found, 'page')}, of which ${pages} are fetched`,
    `indexed: ${counted(indexed, 'page')}`,
    `skipped: ${counted(skipped, 'page')}`,
  ];
  setCurrentDetails(detailsOf(`Phase: ${state}`, facts));
}
