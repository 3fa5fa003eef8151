import type { Database } from '../../database/database.ts';
import type { CrawlService, Discovery } from '../../services/knowledge/crawl.service.ts';
import type { CrawlSiteInput } from '../../workflows/shared/commands.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type CrawlActivities = ReturnType<typeof createCrawlActivities>;

export function createCrawlActivities({ database: db, crawl }: { database: Database; crawl: CrawlService }) {
  return {
    beginCrawl: ({ orgId, ...revision }: CrawlSiteInput) => crawl.begin({ orgId, db }, revision),
    discoverPages: ({ orgId, ...revision }: CrawlSiteInput) =>
      withHeartbeat((signal) => crawl.discover({ orgId, db }, revision, signal)),
    finishCrawl: ({ orgId, discovery, ...revision }: CrawlSiteInput & { discovery: Discovery }) =>
      crawl.finish({ orgId, db }, revision, discovery),
    failCrawl: ({ orgId, reason, ...revision }: CrawlSiteInput & { reason: string }) =>
      crawl.fail({ orgId, db }, revision, reason),
  };
}
