import type { Logger } from '../../core/logger.ts';
import { untilDone } from '../../core/concurrency/until-done.ts';
import type {
  DeliveryResult,
  DeliveryResultsRepository,
} from '../../repositories/webhooks/delivery-results.repository.ts';

/** How long results are kept for a database that is away; the leases are renewed meanwhile. */
const RECORDING_MS = 60_000;

/** Writes the results again until they are written. @throws the TimeoutError when the database is away for too long */
export function recordResults(
  repository: DeliveryResultsRepository,
  results: readonly DeliveryResult[],
  log: Logger,
): Promise<void> {
  const signal = AbortSignal.timeout(RECORDING_MS);
  return untilDone('recording webhook deliveries', () => repository.record(results), { log, signal });
}
