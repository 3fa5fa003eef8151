import type { Database } from '../../database/database.ts';
import type { CrawlService } from '../../services/knowledge/crawling/crawl-service.ts';
import type {
  Discovery,
  FollowedLinks,
  SiteDiscovery,
} from '../../services/knowledge/crawling/site-discovery.ts';
import type { CrawlSiteInput } from '../../core/workflows/commands.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type CrawlActivities = ReturnType<typeof createCrawlActivities>;

export function createCrawlActivities({
  database: db,
  crawl,
  siteDiscovery,
}: {
  database: Database;
  crawl: CrawlService;
  siteDiscovery: SiteDiscovery;
}) {
  return {
    beginCrawl: ({ orgId, ...revision }: CrawlSiteInput) => crawl.begin({ orgId, db }, revision),
    discoverPages: ({ orgId, ...revision }: CrawlSiteInput) =>
      withHeartbeat((signal) => siteDiscovery.discover({ orgId, db }, revision, signal)),
    /**
     * Finds further pages through the links of the previous level's pages. Returns null if the crawl is
     * outdated.
     */
    followLinks: ({ orgId, level, depth, discovery, ...revision }: CrawlSiteInput & FollowedLinks) =>
      withHeartbeat((signal) =>
        siteDiscovery.follow({ orgId, db }, revision, { level, depth, discovery }, signal),
      ),
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
