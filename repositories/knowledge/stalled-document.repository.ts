import type { Database } from '../../database/database.ts';
import type { Document } from '../../entities/knowledge/document.entity.ts';

export type StalledDocument = Pick<Document, 'id' | 'orgId' | 'botId' | 'revision' | 'sourceType'>;

const HAS_STALLED = (seconds: string) => `
  d.status IN ('pending', 'processing') AND d.updated_at < now() - make_interval(secs => ${seconds})
  AND EXISTS (SELECT FROM bots b WHERE b.id = d.bot_id AND b.deleted_at IS NULL)`;

const COLUMNS = `d.id, d.org_id AS "orgId", d.bot_id AS "botId", d.revision, d.source_type AS "sourceType"`;

/** Documents of all workspaces that were to be indexed and have not changed for a time. */
export class StalledDocumentRepository {
  /** In the order of their ids; without those that the outbox or the crawl of their site will come to. */
  find(
    db: Database,
    { after, unchangedSeconds, limit }: { after: string | null; unchangedSeconds: number; limit: number },
  ): Promise<StalledDocument[]> {
    return db.sql(
      `SELECT ${COLUMNS} FROM documents d
       WHERE ($1::uuid IS NULL OR d.id > $1) AND ${HAS_STALLED('$2')}
         AND NOT EXISTS (
           SELECT FROM documents site WHERE site.id = d.parent_id AND site.status IN ('pending', 'processing')
         )
         AND NOT EXISTS (
           SELECT FROM outbox o
           WHERE o.kind = 'command' AND o.payload #>> '{args,0,documentId}' = d.id::text
         )
       ORDER BY d.id LIMIT $3`,
      [after, unchangedSeconds, limit],
    );
  }

  /** Begins the next revision, unless the document has changed since it was found. */
  async renew(
    db: Database,
    { id, orgId, revision }: StalledDocument,
    unchangedSeconds: number,
  ): Promise<StalledDocument | null> {
    const [renewed] = await db.sql<StalledDocument>(
      `UPDATE documents d SET revision = d.revision + 1, status = 'pending', updated_at = now()
       WHERE d.id = $1 AND d.org_id = $2 AND d.revision = $3 AND ${HAS_STALLED('$4')}
       RETURNING ${COLUMNS}`,
      [id, orgId, revision, unchangedSeconds],
    );
    return renewed ?? null;
  }
}
