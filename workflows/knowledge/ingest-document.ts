import {
  CancellationScope,
  continueAsNew,
  ContinueAsNew,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { IngestionActivities } from '../../activities/knowledge/ingestion.activities.ts';
import { databaseActivity, patientRetry } from '../shared/activity-options.ts';
import type { IngestDocumentInput } from '../../core/workflows/commands.ts';
import { isFinal, isForNow, describeIngestFailure } from '../../core/workflows/failures.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';
import { backoffMs } from '../../core/concurrency/backoff.ts';

export type IngestState =
  | 'fetching'
  | 'indexing'
  | 'indexed'
  | 'unchanged'
  | 'left_out'
  | 'gone'
  | 'failed'
  | 'cancelled'
  | 'superseded';

/** Pause between two attempts of a document that found no slot. */
const PAUSES = { firstMs: 1000, maxMs: 15_000, jitter: 0.5 };

type Indexed = Exclude<Awaited<ReturnType<IngestionActivities['indexDocument']>>, 'out_of_turn' | null>;
type IndexedDocument = Exclude<Indexed, string>;

const { beginIngestion, failIngestion } = proxyActivities<IngestionActivities>(databaseActivity);

/** Runs within the workflow task, so a short text or a small file costs Temporal no further task. */
const { beginOrIndex } = proxyLocalActivities<IngestionActivities>({
  startToCloseTimeout: '10s',
  retry: { maximumAttempts: 1 },
  summary: 'Begin; a short text or a small file is indexed at once',
});

/**
 * Fetches one document, splits it into chunks and indexes them. Afterwards the document is `indexed`, or `failed` with
 * a reason, unless it was deleted or another revision superseded it.
 */
export async function ingestDocument(input: IngestDocumentInput): Promise<IngestState> {
  const progress = new Progress();
  try {
    const state = await ingest(input, progress);
    progress.enter(state);
    return state;
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    const reason = isCancellation(error) ? 'The indexing was cancelled.' : describeIngestFailure(error);
    await CancellationScope.nonCancellable(() =>
      failIngestion({ ...input, reason, isForNow: isForNow(error) }),
    );
    progress.enter(isCancellation(error) ? 'cancelled' : 'failed', reason);
    if (isCancellation(error)) throw error;
    return 'failed';
  }
}

async function ingest(input: IngestDocumentInput, progress: Progress): Promise<IngestState> {
  const begun = await begin(input);
  if (begun === null) return 'superseded';
  if ('chunkCount' in begun) return showIndexed(begun, progress);
  if (begun.mustFetch) {
    progress.enter('fetching');
    const fetched = await proxySlowActivities().fetchAndIndex(input);
    if (fetched === null || fetched.indexed === null) return 'superseded';
    if (fetched.sizeBytes > 0) progress.add(pluralize(fetched.sizeBytes, 'byte'));
    if (fetched.indexed !== 'out_of_turn') return showIndexed(fetched.indexed, progress);
  }
  progress.enter('indexing');
  const indexed = await indexInTurn(input);
  return indexed === null ? 'superseded' : showIndexed(indexed, progress);
}

/** An activity takes over after a transient failure and retries until it succeeds. */
async function begin(input: IngestDocumentInput): ReturnType<IngestionActivities['beginOrIndex']> {
  try {
    return await beginOrIndex(input);
  } catch (error) {
    if (isCancellation(error) || isFinal(error)) throw error;
    // The failed attempt may have indexed it nevertheless.
    return (await beginIngestion(input)) ?? beginOrIndex(input);
  }
}

function showIndexed(indexed: Indexed, progress: Progress): IngestState {
  if (typeof indexed === 'string') return indexed;
  progress.add(describeDocument(indexed));
  return 'indexed';
}

/** Facts about an indexed document, for operators. */
export function describeDocument({
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
 * Indexes when the workspace gets a slot. A workspace with many documents yields to others, and retries after a pause.
 */
async function indexInTurn(input: IngestDocumentInput): Promise<Indexed | null> {
  const { indexDocument } = proxySlowActivities();
  for (let times = 0; ; times += 1) {
    const indexed = await indexDocument(input);
    if (indexed !== 'out_of_turn') return indexed;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof ingestDocument>(input);
    await sleep(backoffMs(times, PAUSES));
  }
}

/** Limits each attempt rather than the total time, which would include waiting for other documents. */
function proxySlowActivities(): Pick<IngestionActivities, 'fetchAndIndex' | 'indexDocument'> {
  const { fetch, ingest: indexing } = nameTaskQueues(workflowInfo().taskQueue);
  const { fetchAndIndex } = proxyActivities<IngestionActivities>({
    taskQueue: fetch,
    startToCloseTimeout: '4m',
    heartbeatTimeout: '10s',
    retry: patientRetry,
    summary: 'Download the source, keep it as the original, extract its text and index it',
  });
  const { indexDocument } = proxyActivities<IngestionActivities>({
    taskQueue: indexing,
    startToCloseTimeout: '5m',
    heartbeatTimeout: '10s',
    retry: patientRetry,
    summary: 'Extract the text, cut it into chunks, replace those in the index',
  });
  return { fetchAndIndex, indexDocument };
}

/** Shows operators the state: a search attribute and the workflow's current details. */
class Progress {
  readonly #facts: string[] = [];
  #state: IngestState | undefined;

  add(fact: string): void {
    this.#facts.push(fact);
    this.#show();
  }

  enter(state: IngestState, reason?: string): void {
    this.#state = state;
    if (reason !== undefined) this.#facts.push(reason);
    upsertSearchAttributes([{ key: searchAttributes.ingestState, value: state }]);
    this.#show();
  }

  #show(): void {
    // Writes one line: Temporal's UI shows only a few without opening the box.
    setCurrentDetails(
      formatDetails(`Phase: ${this.#state}`, this.#facts.length > 0 ? [this.#facts.join(' · ')] : []),
    );
  }
}
