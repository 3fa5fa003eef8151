import type { Database } from '../../database/database.ts';
import type { CrawlService } from '../../services/knowledge/crawling/crawl-service.ts';
import type { Discovery, LinkStep, SiteDiscovery } from '../../services/knowledge/crawling/site-discovery.ts';
import type { PayerQueue } from '../../services/requests/payer-queue.ts';
import type { CrawlSiteInput } from '../../core/workflows/commands.ts';
import type { QueueTicket } from '../../core/workflows/queue-ticket.ts';
import { withHeartbeat } from '../with-heartbeat.ts';
import { withTimeLimit } from '../with-time-limit.ts';

/**
 * Time limit in milliseconds for finding the pages of a website. Together with the wait for a slot, it must
 * stay below the activity's timeout of 4 minutes.
 */
const DISCOVERY_MS = 150_000;

export type CrawlActivities = ReturnType<typeof createCrawlActivities>;

export function createCrawlActivities({
  database: db,
  crawl,
  siteDiscovery,
  fetches,
}: {
  database: Database;
  fetches: PayerQueue;
  crawl: CrawlService;
  siteDiscovery: SiteDiscovery;
}) {
  return {
    beginCrawl: ({ orgId, ...revision }: CrawlSiteInput) => crawl.begin({ orgId, db }, revision),
    /** Finds the pages of a website. Returns `out_of_turn` if the workspace's payer gets no slot in time. */
    discoverPages: ({ orgId, waitingSince, ...revision }: CrawlSiteInput & QueueTicket) =>
      withHeartbeat((signal) => {
        const scope = { orgId, db };
        const discover = () =>
          withTimeLimit(DISCOVERY_MS, signal, (limited) => siteDiscovery.discover(scope, revision, limited));
        return fetches.run(scope, discover, signal, { waitingSince });
      }),
    /**
     * Finds further pages through the links of the previous level's pages. Returns null if the crawl is
     * outdated, and `out_of_turn` if the workspace's payer gets no slot in time.
     */
    followLinks: ({
      orgId,
      level,
      depth,
      discovery,
      waitingSince,
      ...revision
    }: CrawlSiteInput & LinkStep & QueueTicket) =>
      withHeartbeat((signal) => {
        const scope = { orgId, db };
        const follow = () =>
          withTimeLimit(DISCOVERY_MS, signal, (limited) =>
            siteDiscovery.follow(scope, revision, { level, depth, discovery }, limited),
          );
        return fetches.run(scope, follow, signal, { waitingSince });
      }),
    finishCrawl: ({
      orgId,
      discovery,
      unchanged,
      ...revision
    }: CrawlSiteInput & { discovery: Discovery; unchanged?: number }) =>
      crawl.finish({ orgId, db }, revision, discovery, unchanged),
    failCrawl: ({ orgId, reason, ...revision }: CrawlSiteInput & { reason: string }) =>
      crawl.fail({ orgId, db }, revision, reason),
  };
}
