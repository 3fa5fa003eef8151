import type { Database } from '../../database/database.ts';
import { CLAIM_NEWS_READERS, LIST_NEWS_READERS, type NewsReader } from './announcement.sql.ts';

/** Readers of announcements: accounts with a verified address that have not turned off such mail. */
export class AnnouncementRepository {
  /** Lists readers who were not sent the announcement, by id. */
  listReaders(
    db: Database,
    announcement: string,
    { after, limit }: { after: string | null; limit: number },
  ): Promise<NewsReader[]> {
    return db.run(LIST_NEWS_READERS, [announcement, after, limit]);
  }

  /** Claims readers for this caller. */
  claimReaders(db: Database, announcement: string, limit: number): Promise<NewsReader[]> {
    return db.run(CLAIM_NEWS_READERS, [announcement, null, limit]);
  }
}
