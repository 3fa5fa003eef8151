import {
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { BillingActivities } from '../../activities/billing/billing.activities.ts';
import type { SyncBillingInput } from '../../core/workflows/commands.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';
import { providerActivity } from './provider-activity.ts';
import { backoffMs } from '../../core/concurrency/backoff.ts';

const changedSignal = defineSignal('changed');
const profileSignal = defineSignal('profile');

export type SyncBillingEnd = 'synced' | 'no_customer' | 'files_missing';

const PAUSES = { firstMs: 2000, maxMs: 5 * 60_000 };
/**
 * Maximum number of attempts to fetch the files of a payer's receipt. All attempts together take about an
 * hour. After the last attempt, the next sweep starts another sync.
 */
const MAX_FILE_ATTEMPTS = 18;

/**
 * Copies a payer's state, such as the subscription, from the payment provider into the database, and stores
 * the files of the payer's receipts.
 */
export async function syncBilling(input: SyncBillingInput): Promise<SyncBillingEnd> {
  const signals = handleSignals();
  const { comparePayer } = proxyActivities<BillingActivities>(
    providerActivity('Read the payer from the payment provider, and store its state'),
  );
  for (let attempt = 1; ; attempt += 1) {
    signals.hasChanged = false;
    setCurrentDetails('Reading from the payment provider.');
    const isKnown = await comparePayer(input);
    const stored = await storeFiles(input);
    if (!signals.hasChanged && !isKnown)
      return showEnd('no_customer', ['The payer does not exist at the payment provider.']);
    if (!signals.hasChanged && stored !== null)
      return showEnd('synced', [`${pluralize(stored, 'receipt')} stored`]);
    if (stored === null) {
      if (attempt >= MAX_FILE_ATTEMPTS) return showEnd('files_missing', ['sweepBilling retries.']);
      const pauseMs = backoffMs(attempt - 1, PAUSES);
      showBillingDetails('retrying', [
        `The file of a receipt cannot be fetched. Next attempt in ${Math.round(pauseMs / 1000)} s.`,
      ]);
      await condition(() => signals.hasChanged, pauseMs);
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof syncBilling>(input);
  }
}

function handleSignals() {
  const news = { hasChanged: false };
  const note = () => void (news.hasChanged = true);
  setHandler(changedSignal, note, { description: 'Read the state at the provider, which may have changed.' });
  setHandler(profileSignal, note, { description: 'Send the saved billing profile to the provider.' });
  return news;
}

/**
 * Stores the files of a payer's receipts and returns their number. Returns null if some files could not be
 * fetched, so that the rest of the sync need not wait for these files.
 */
async function storeFiles(input: SyncBillingInput): Promise<number | null> {
  const { storeReceipts } = proxyActivities<BillingActivities>({
    ...providerActivity('Fetch the files of receipts'),
    retry: { maximumAttempts: 1 },
  });
  try {
    return await storeReceipts(input);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return null;
  }
}

function showBillingDetails(state: string, lines: string[]): void {
  setCurrentDetails(formatDetails(`Billing: ${state.replace('_', ' ')}`, lines));
}

function showEnd(state: SyncBillingEnd, lines: string[]): SyncBillingEnd {
  showBillingDetails(state, lines);
  return state;
}
