import { lockName } from '../../database/advisory-lock.ts';
import { listSameAddresses } from '../../adapters/web/page-key.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';

/** Serializes transactions that search a bot's documents by URL. */
export async function lockDocumentUrls({ db }: OrgScope, botId: string): Promise<void> {
  await lockName(db, `pages ${botId}`);
}

/** Builds a query for the bot's documents with one of the URLs. Different spellings of the same URL match. */
export function queryDocumentsByUrl(
  { db, orgId }: OrgScope,
  { botId, sourceType }: Pick<Document, 'botId' | 'sourceType'>,
  urls: readonly string[],
) {
  return db
    .repository(Document)
    .createQueryBuilder('row')
    .where('row.org_id = :orgId AND row.bot_id = :botId', { orgId, botId })
    .andWhere('row.source_type = :sourceType', { sourceType })
    .andWhere("split_part(row.source_url, '#', 1) = ANY(:addresses)", {
      addresses: urls.flatMap(listSameAddresses),
    })
    .orderBy('row.id');
}
