import { newId } from '../../core/ids.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { ChunkIndex } from '../../services/knowledge/ingestion/chunk-index.ts';
import { readAndChunk } from '../../services/knowledge/ingestion/read-and-chunk.ts';
import type { SearchableChunk } from '../../services/knowledge/ingestion/extraction-protocol.ts';
import type { Page } from './corpus.ts';

/** Reads and indexes pages of manuals like uploaded documents; returns the id of the page by document id. */
export async function indexPages(
  scope: OrgScope,
  botId: string,
  pages: readonly Page[],
  mimeType = 'text/html',
): Promise<Map<string, string>> {
  const pageByDocument = new Map<string, string>();
  for (const page of pages) pageByDocument.set(await indexPage(scope, botId, page, mimeType), page.id);
  return pageByDocument;
}

async function indexPage(
  scope: OrgScope,
  botId: string,
  { id, bytes }: Page,
  mimeType: string,
): Promise<string> {
  const documentId = newId();
  const source = { bytes, filename: id, mimeType };
  const batches: SearchableChunk[][] = [];
  let title = id;
  let searchConfig = 'simple';
  for await (const step of readAndChunk({ source, title: null, batchSize: 100 })) {
    if (step.kind === 'chunks') batches.push(step.chunks);
    else if (step.kind === 'document') {
      title = step.document.title || id;
      searchConfig = step.document.searchConfig;
    }
  }
  await inTransaction(scope, async (inside) => {
    await inside.db.repository(Document).insert({
      id: documentId,
      orgId: scope.orgId,
      botId,
      sourceType: 'url',
      status: 'indexed',
      title,
      sourceUrl: `https://manuals.example/${id}`,
    });
    await new ChunkIndex().replaceChunks(inside, { botId, documentId, title }, batches, searchConfig);
  });
  return documentId;
}
