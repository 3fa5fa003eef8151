import type { Database } from '../../database/database.ts';
import { CLAIM_NEWS_READERS, LIST_NEWS_READERS, type NewsReader } from './announcement.sql.ts';

/**
 * Recipients of the operator's announcements: accounts with a verified email address that have not
 * unsubscribed from such email.
 */
export class AnnouncementRepository {
  /** Lists recipients to whom the operator's announcement was not sent yet, by id. */
  listReaders(
    db: Database,
    announcement: string,
    { after, limit }: { after: string | null; limit: number },
  ): Promise<NewsReader[]> {
    return db.run(LIST_NEWS_READERS, [announcement, after, limit]);
  }

  /** Claims recipients, so that only one caller sends each of them the announcement. */
  claimReaders(db: Database, announcement: string, limit: number): Promise<NewsReader[]> {
    return db.run(CLAIM_NEWS_READERS, [announcement, null, limit]);
  }
}
