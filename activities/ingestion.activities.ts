import { FairQueue } from '../core/fair-queue.ts';
import type { Settings } from '../core/settings.ts';
import type { Database } from '../entities/database.ts';
import type { IngestionService } from '../services/knowledge/ingestion.service.ts';
import type { IngestDocumentInput } from '../workflows/shared/commands.ts';
import { withHeartbeat } from './with-heartbeat.ts';

export type IngestionActivities = ReturnType<typeof createIngestionActivities>;

/** Waiting costs nothing but a slot of Temporal's, and has the next document at hand when one is read. */
const WAITING_FOR_EACH_PLACE = 4;
/** Less than leaves no time to read and index before the activity's own end. */
const LONGEST_WAIT_MS = 30_000;

/** Documents that one worker has at hand: those it reads, and those that wait. */
export function indexingAtOnce({ readingPlaces }: Pick<Settings, 'readingPlaces'>): number {
  return readingPlaces * (1 + WAITING_FOR_EACH_PLACE);
}

export function createIngestionActivities({
  database: db,
  ingestion,
  settings: { readingPlaces },
}: {
  database: Database;
  ingestion: IngestionService;
  settings: Pick<Settings, 'readingPlaces'>;
}) {
  const reading = new FairQueue({
    places: readingPlaces,
    waitingPlaces: readingPlaces * WAITING_FOR_EACH_PLACE,
    longestWaitMs: LONGEST_WAIT_MS,
  });
  return {
    beginIngestion: ({ orgId, ...revision }: IngestDocumentInput) => ingestion.begin({ orgId, db }, revision),
    fetchSource: ({ orgId, ...revision }: IngestDocumentInput) =>
      withHeartbeat((signal) => ingestion.fetchSource({ orgId, db }, revision, signal)),
    indexDocument: ({ orgId, ...revision }: IngestDocumentInput) =>
      withHeartbeat((signal) =>
        reading.run(orgId, () => ingestion.index({ orgId, db }, revision, signal), signal),
      ),
    failIngestion: ({ orgId, reason, ...revision }: IngestDocumentInput & { reason: string }) =>
      ingestion.fail({ orgId, db }, revision, reason),
  };
}
