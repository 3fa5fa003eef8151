import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';

/** A page document of a site, with the revision that is to be indexed. */
export interface RegisteredPage {
  documentId: string;
  revision: number;
}

const d = aliasTable(Document, 'd');
const IS_SITE_PAGE = `${d('parentId')} IS NOT NULL`;

/**
 * Gives existing page documents of a site a new revision. Parameters: $1 workspace id, $2 site id, $3
 * document ids, $4 their URLs, $5 the site's revision.
 */
export const RENEW_PAGES = defineStatement<RegisteredPage & { url: string }>({
  name: 'renew-pages',
  because: 'Each page gets its own address and a revision that depends on its status, in one UPDATE.',
  text: `
    UPDATE ${d.from} SET ${d.bare('updatedAt')} = now(), ${d.bare('status')} = 'pending', ${d.bare('errorMessage')} = NULL,
      ${d.bare('revision')} = ${d('revision')} + CASE WHEN ${d('status')} IN ('indexed', 'failed') THEN 1 ELSE 0 END,
      ${d.bare('readingAttempts')} = CASE WHEN ${d('status')} IN ('indexed', 'failed') THEN 0 ELSE ${d('readingAttempts')} END,
      ${d.bare('parentId')} = CASE WHEN ${IS_SITE_PAGE} THEN $2::uuid END,
      ${d.bare('crawlRevision')} = CASE WHEN ${IS_SITE_PAGE} THEN $5::int END,
      ${d.bare('gone')} = NULL,
      ${d.bare('sourceUrl')} = CASE WHEN ${IS_SITE_PAGE} THEN page.url ELSE ${d('sourceUrl')} END
    FROM unnest($3::uuid[], $4::text[]) AS page (id, url)
    WHERE ${d('orgId')} = $1 AND ${d('id')} = page.id
    RETURNING ${d('id')} AS "documentId", ${d('revision')}, page.url`,
});
