import {
  CancellationScope,
  continueAsNew,
  ContinueAsNew,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { IngestionActivities } from '../../activities/knowledge/ingestion.activities.ts';
import { databaseActivity, patientRetry } from '../shared/activity-options.ts';
import { runInTurn } from '../shared/run-in-turn.ts';
import type { IngestDocumentInput } from '../../core/workflows/commands.ts';
import type { QueueTicket } from '../../core/workflows/queue-ticket.ts';
import {
  isNonRetryable,
  isTemporarySourceFailure,
  describeIngestFailure,
} from '../../core/workflows/failures.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';

export type IngestState =
  | 'fetching'
  | 'indexing'
  | 'recognizing'
  | 'indexed'
  | 'unchanged'
  | 'left_out'
  | 'gone'
  | 'failed'
  | 'cancelled'
  | 'superseded';

type IndexingResult = Exclude<
  Awaited<ReturnType<IngestionActivities['recognizeDocument']>>,
  'out_of_turn' | null
>;
type IndexedDocument = Exclude<IndexingResult, string>;

const { beginIngestion, failIngestion } = proxyActivities<IngestionActivities>(databaseActivity);

/**
 * A local activity runs within the workflow task, so that a short text or a small file needs no further task
 * of Temporal.
 */
const { beginOrIndex } = proxyLocalActivities<IngestionActivities>({
  startToCloseTimeout: '10s',
  retry: { maximumAttempts: 1 },
  summary: 'Start the revision; index a short text or a small file at once',
});

/**
 * Indexes a document: fetches it, splits it into chunks and stores them. Its status is then `indexed` or
 * `failed`, unless it was deleted or has a newer revision.
 */
export async function ingestDocument(input: IngestDocumentInput): Promise<IngestState> {
  const progress = new Progress();
  try {
    const state = await ingest(input, progress);
    progress.enter(state);
    return state;
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    const reason = isCancellation(error) ? 'The indexing was canceled.' : describeIngestFailure(error);
    await CancellationScope.nonCancellable(() =>
      failIngestion({ ...input, reason, isForNow: isTemporarySourceFailure(error) }),
    );
    progress.enter(isCancellation(error) ? 'cancelled' : 'failed', reason);
    if (isCancellation(error)) throw error;
    return 'failed';
  }
}

async function ingest(input: IngestDocumentInput, progress: Progress): Promise<IngestState> {
  const started = await beginOrFail(input);
  if (started === null) return 'superseded';
  if ('chunkCount' in started) return showIndexed(started, progress);
  if (started.mustFetch) {
    progress.enter('fetching');
    const fetched = await runStep(input, proxySlowActivities().fetchAndIndex);
    if (fetched === null || fetched.indexed === null) return 'superseded';
    if (fetched.sizeBytes > 0) progress.add(pluralize(fetched.sizeBytes, 'byte'));
    if (fetched.indexed === 'has_scans') return recognize(input, progress);
    if (fetched.indexed !== 'out_of_turn') return showIndexed(fetched.indexed, progress);
  }
  progress.enter('indexing');
  const indexed = await runStep(input, proxySlowActivities().indexDocument);
  if (indexed === 'has_scans') return recognize(input, progress);
  return indexed === null ? 'superseded' : showIndexed(indexed, progress);
}

async function recognize(input: IngestDocumentInput, progress: Progress): Promise<IngestState> {
  progress.enter('recognizing');
  const indexed = await runStep(input, proxySlowActivities().recognizeDocument);
  return indexed === null ? 'superseded' : showIndexed(indexed, progress);
}

/**
 * Starts the indexing of a document. If the local activity fails temporarily, a regular activity retries
 * until it succeeds.
 */
async function beginOrFail(input: IngestDocumentInput): ReturnType<IngestionActivities['beginOrIndex']> {
  try {
    return await beginOrIndex(input);
  } catch (error) {
    if (isCancellation(error) || isNonRetryable(error)) throw error;
    // The failed attempt may still have indexed the document, so ask for its state again.
    return (await beginIngestion(input)) ?? beginOrIndex(input);
  }
}

function showIndexed(indexed: IndexingResult, progress: Progress): IngestState {
  if (typeof indexed === 'string') return indexed;
  progress.add(summarizeIndexed(indexed));
  return 'indexed';
}

/** Lists properties of an indexed document, such as its number of sections, for operators. */
export function summarizeIndexed({
  sizeBytes,
  mimeType,
  sectionCount,
  chunkCount,
  tokenCount,
}: IndexedDocument): string {
  return [
    `${pluralize(sizeBytes, 'byte')} of ${mimeType}`,
    pluralize(sectionCount, 'section'),
    pluralize(chunkCount, 'chunk'),
    pluralize(tokenCount, 'token'),
  ].join(' · ');
}

/**
 * Runs an activity of the indexing once the workspace's payer gets a slot. A long wait continues in a new
 * run.
 */
function runStep<T>(
  input: IngestDocumentInput,
  step: (input: IngestDocumentInput & QueueTicket) => Promise<T | 'out_of_turn'>,
): Promise<T> {
  const continueIfLong = async () => {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof ingestDocument>(input);
  };
  return runInTurn((ticket) => step({ ...input, ...ticket }), continueIfLong);
}

/**
 * Returns the activities that fetch and index a document, and recognize its text. Their time limits apply to
 * each attempt: the total time would include waiting for other documents.
 */
function proxySlowActivities(): Pick<
  IngestionActivities,
  'fetchAndIndex' | 'indexDocument' | 'recognizeDocument'
> {
  const { fetch, ingest: indexing } = nameTaskQueues(workflowInfo().taskQueue);
  const { fetchAndIndex } = proxyActivities<IngestionActivities>({
    taskQueue: fetch,
    startToCloseTimeout: '4m',
    heartbeatTimeout: '10s',
    retry: patientRetry,
    summary: 'Download the source, store it as the original, extract its text and index it',
  });
  const { indexDocument } = proxyActivities<IngestionActivities>({
    taskQueue: indexing,
    startToCloseTimeout: '15m',
    heartbeatTimeout: '10s',
    retry: patientRetry,
    summary: 'Extract the text, split it into chunks, and replace the chunks in the index',
  });
  const { recognizeDocument } = proxyActivities<IngestionActivities>({
    taskQueue: indexing,
    startToCloseTimeout: '20m',
    heartbeatTimeout: '10s',
    retry: patientRetry,
    summary:
      'Recognize the text of scanned pages, split all text into chunks, and replace the chunks in the index',
  });
  return { fetchAndIndex, indexDocument, recognizeDocument };
}

/**
 * Shows operators the state of a document's indexing, in a search attribute and in the workflow's details.
 */
class Progress {
  readonly #facts: string[] = [];
  #state: IngestState | undefined;

  add(fact: string): void {
    this.#facts.push(fact);
    this.#showDetails();
  }

  enter(state: IngestState, reason?: string): void {
    this.#state = state;
    if (reason !== undefined) this.#facts.push(reason);
    upsertSearchAttributes([{ key: searchAttributes.ingestState, value: state }]);
    this.#showDetails();
  }

  #showDetails(): void {
    // Use one line, because Temporal's UI only shows the first lines of the details.
    setCurrentDetails(
      formatDetails(`Phase: ${this.#state}`, this.#facts.length > 0 ? [this.#facts.join(' · ')] : []),
    );
  }
}
