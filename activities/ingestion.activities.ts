import type { Database } from '../entities/database.ts';
import type { IngestionService } from '../services/knowledge/ingestion.service.ts';
import type { IngestDocumentInput } from '../workflows/shared/commands.ts';
import { withHeartbeat } from './with-heartbeat.ts';

export type IngestionActivities = ReturnType<typeof createIngestionActivities>;

export function createIngestionActivities({
  database: db,
  ingestion,
}: {
  database: Database;
  ingestion: IngestionService;
}) {
  return {
    beginIngestion: ({ orgId, ...revision }: IngestDocumentInput) => ingestion.begin({ orgId, db }, revision),
    fetchSource: ({ orgId, ...revision }: IngestDocumentInput) =>
      withHeartbeat((signal) => ingestion.fetchSource({ orgId, db }, revision, signal)),
    indexDocument: ({ orgId, ...revision }: IngestDocumentInput) =>
      withHeartbeat((signal) => ingestion.index({ orgId, db }, revision, signal)),
    failIngestion: ({ orgId, reason, ...revision }: IngestDocumentInput & { reason: string }) =>
      ingestion.fail({ orgId, db }, revision, reason),
  };
}
