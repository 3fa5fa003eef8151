import { createTextRecognizer } from '../../adapters/recognition/create-text-recognizer.ts';
import { DocumentRepository } from '../../repositories/knowledge/document.repository.ts';
import { PurgeRepository } from '../../repositories/bots/purge.repository.ts';
import { RevisionRepository } from '../../repositories/knowledge/revision.repository.ts';
import { SitePageRepository } from '../../repositories/knowledge/site-page.repository.ts';
import { ChunkIndex } from './ingestion/chunk-index.ts';
import { CrawlService } from './crawling/crawl-service.ts';
import { DocumentRemoval } from './document-removal.ts';
import { RefreshService } from './crawling/refresh-service.ts';
import { SiteDiscovery } from './crawling/site-discovery.ts';
import { DocumentDownloads } from './document-downloads.ts';
import { DocumentIntake } from './document-intake.ts';
import { DocumentService } from './document-service.ts';
import { ExternalDocuments } from './external-documents.ts';
import { EmbeddingService } from './vectors/embedding-service.ts';
import { FullTextSearch } from './search/full-text-search.ts';
import { IngestionService } from './ingestion/ingestion-service.ts';
import type { Originals } from './originals.ts';
import { PurgeService } from '../bots/purge-service.ts';
import { createKnowledgeSearchLimits } from './search/knowledge-search-limits.ts';
import { SearchService } from './search/search-service.ts';
import type { WebhookPurge } from '../webhooks/webhook-purge.ts';
import { VectorIndexes } from './vectors/vector-indexes.ts';
import { PassageRanking } from './search/passage-ranking.ts';
import { VectorSearch } from './search/vector-search.ts';
import { toVectorLines } from './search/vector-relevance.ts';
import { EmbeddingQueueRepository } from '../../repositories/knowledge/embedding-queue.repository.ts';
import { VectorSearchRepository } from '../../repositories/knowledge/vector-search.repository.ts';
import { StalledDocuments } from './stalled-documents.ts';
import { StalledDocumentRepository } from '../../repositories/knowledge/stalled-document.repository.ts';
import type { OutdatedUploads } from '../encryption/outdated-uploads.ts';
import type { Quotas } from '../usage/quotas.ts';
import type { ServiceDeps, SharedDeps } from '../service-deps.ts';

/** Creates the services that receive, index, search, download and remove documents. */
export function createKnowledge(
  deps: ServiceDeps,
  {
    bots,
    outbox,
    quotas,
    originals,
    outdatedUploads,
  }: SharedDeps & { quotas: Quotas; originals: Originals; outdatedUploads: OutdatedUploads },
  endpoints: WebhookPurge,
) {
  const { settings, keyring, outbound, storage, clock, log, embedder, reranker } = deps;
  const rows = { bots, documents: new DocumentRepository() };
  const revisions = new RevisionRepository();
  const chunkIndex = new ChunkIndex();
  const pages = new SitePageRepository();
  const limits = createKnowledgeSearchLimits(settings);
  const removal = new DocumentRemoval({ ...rows, chunkIndex, outbox });
  const documents = new DocumentService({ ...rows, pages, removal, outbox, keyring });
  const documentIntake = new DocumentIntake({
    ...rows,
    pages,
    outbox,
    outbound,
    originals,
    outdatedUploads,
    log,
    quotas,
  });
  return {
    documents,
    documentIntake,
    externalDocuments: new ExternalDocuments({
      ...rows,
      intake: documentIntake,
      documentService: documents,
      outdatedUploads,
      outbox,
      keyring,
    }),
    documentDownloads: new DocumentDownloads({
      ...rows,
      documentService: documents,
      originals,
      keyring,
      clock,
      settings,
    }),
    ingestion: new IngestionService({
      bots,
      revisions,
      chunkIndex,
      outbox,
      outbound,
      originals,
      recognizer: createTextRecognizer(settings),
      settings,
    }),
    siteDiscovery: new SiteDiscovery({ revisions, pages, outbound, originals, quotas }),
    crawl: new CrawlService({ ...rows, revisions, pages, removal, outbox }),
    refreshes: new RefreshService({ ...rows, outbox }),
    stalledDocuments: new StalledDocuments({ documents: new StalledDocumentRepository(), outbox, log }),
    purge: new PurgeService({ purge: new PurgeRepository(), endpoints, storage }),
    search: new SearchService({
      bots,
      limits,
      log,
      fullText: new FullTextSearch(),
      vectors:
        embedder &&
        new VectorSearch({
          embedder,
          vectors: new VectorSearchRepository(),
          limits,
          settings,
          lines: toVectorLines(settings),
          log,
        }),
      ranking: reranker && new PassageRanking({ reranker, passages: settings.rerankPassages, log }),
    }),
    vectorIndexes: new VectorIndexes({
      queue: new EmbeddingQueueRepository(),
      vectors: new VectorSearchRepository(),
    }),
    embedding: embedder && new EmbeddingService({ embedder, queue: new EmbeddingQueueRepository(), outbox }),
  };
}
