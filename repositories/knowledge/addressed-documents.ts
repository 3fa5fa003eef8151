import { lockName } from '../../database/advisory-lock.ts';
import { sameAddresses } from '../../adapters/web/page-key.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';

/** Keeps others who look for documents of the bot by address waiting until the transaction ends. */
export async function lockAddresses({ db }: OrgScope, botId: string): Promise<void> {
  await lockName(db, `pages ${botId}`);
}

/** The bot's documents that one of the addresses leads to, however it is written. */
export function documentsAt(
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
      addresses: urls.flatMap(sameAddresses),
    })
    .orderBy('row.id');
}
