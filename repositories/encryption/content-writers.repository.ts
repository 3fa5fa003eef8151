import { listContentEntities, requireContent } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import { HAVE_TRANSACTIONS_ENDED, LIST_WRITERS } from './content-writers.sql.ts';

/** Finds database transactions that write to tables with content. */
export class ContentWriters {
  /**
   * Returns the virtual ids of transactions that have written to tables with content or are waiting to write.
   */
  async list(db: Database): Promise<string[]> {
    const tables = listContentEntities().map((entity) => requireContent(entity).table);
    return (await db.run(LIST_WRITERS, [tables])).map(({ id }) => id);
  }

  async haveEnded(db: Database, ids: readonly string[]): Promise<boolean> {
    const [row] = await db.run(HAVE_TRANSACTIONS_ENDED, [ids]);
    return row!.haveEnded;
  }
}
