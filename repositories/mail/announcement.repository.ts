import type { Database } from '../../database/database.ts';
import { CLAIM_NEWS_READERS, LIST_NEWS_READERS, type NewsReader } from './announcement.sql.ts';

/** Who is sent news: everybody whose address is known to be theirs, and who has not turned such mail off. */
export class AnnouncementRepository {
  /** Those who were not sent it yet, in the order of their ids. */
  listReaders(
    db: Database,
    announcement: string,
    { after, limit }: { after: string | null; limit: number },
  ): Promise<NewsReader[]> {
    return db.run(LIST_NEWS_READERS, [announcement, after, limit]);
  }

  /** Of those, some, whom nobody else claims. */
  claimReaders(db: Database, announcement: string, limit: number): Promise<NewsReader[]> {
    return db.run(CLAIM_NEWS_READERS, [announcement, null, limit]);
  }
}
