import { ActivityFailure, ApplicationFailure, CancelledFailure, TimeoutFailure } from '@temporalio/common';

/** Types of activity failures. Except for `unexpected`, their messages are written for people to read. */
export const failureTypes = {
  unreadable: 'DocumentUnreadable',
  sourceRefused: 'SourceRefused',
  sourceUnavailable: 'SourceUnavailable',
  refused: 'Refused',
  keyUnavailable: 'KeyUnavailable',
  modelFailed: 'ModelFailed',
  calendarRefused: 'CalendarRefused',
  calendarReconnect: 'CalendarReconnect',
  calendarUnavailable: 'CalendarUnavailable',
  paymentUnavailable: 'PaymentProviderUnavailable',
  paymentRefused: 'PaymentProviderRefused',
  storageUnavailable: 'StorageUnavailable',
  unexpected: 'Unexpected',
} as const;

const reportedFailureTypes: ReadonlySet<string> = new Set(
  Object.values(failureTypes).filter((type) => type !== failureTypes.unexpected),
);

/** Returns whether an activity failed because the workspace's encryption key is unavailable. */
export function isKeyUnavailable(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.type === failureTypes.keyUnavailable;
}

/** Returns whether an activity's failure must not be retried. */
export function isNonRetryable(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.nonRetryable === true;
}

/**
 * Returns whether fetching the source of a document failed temporarily. A refused request and unreadable
 * content are permanent failures.
 */
export function isTemporarySourceFailure(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  return ![failureTypes.unreadable, failureTypes.sourceRefused, failureTypes.refused].some(
    (each) => each === type,
  );
}

/** Explains the failure of a language model, in words for operators. */
export function describeModelFailure(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure && cause.type === failureTypes.modelFailed) return cause.message;
  if (cause instanceof TimeoutFailure) return 'The model took too long.';
  return 'Something went wrong on our side.';
}

/** Explains to the owner of a document why it could not be indexed. */
export function describeIngestFailure(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure && reportedFailureTypes.has(cause.type ?? '')) return cause.message;
  if (cause instanceof TimeoutFailure)
    return 'Indexing took too long. Index the document again, or split it.';
  if (cause instanceof CancelledFailure) return 'The indexing was canceled.';
  return 'Something went wrong on our side. Index the document again; if indexing fails again, report the problem.';
}

const calendarTypes: ReadonlySet<string> = new Set([
  failureTypes.calendarRefused,
  failureTypes.calendarReconnect,
  failureTypes.calendarUnavailable,
]);

/** Explains a calendar provider's failure in words for operators, and how long to wait. */
export function describeCalendarFailure(error: unknown): {
  needsReconnect: boolean;
  message: string;
  waitMs: number;
} {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const calendarFailure =
    cause instanceof ApplicationFailure && calendarTypes.has(cause.type ?? '') ? cause : undefined;
  const requestedDelay = calendarFailure?.nextRetryDelay;
  return {
    needsReconnect: calendarFailure?.type === failureTypes.calendarReconnect,
    message: calendarFailure?.message ?? 'The calendar did not respond in time.',
    waitMs: typeof requestedDelay === 'number' ? requestedDelay : 0,
  };
}

const HOUR_SECONDS = 3600;

/**
 * Explains the failure of an export or import for people. Also returns whether the archive itself caused the
 * failure.
 */
export function describeArchiveFailure(
  error: unknown,
  patienceSeconds: number,
): { reason: string; isArchiveFault: boolean } {
  const known = applicationFailureIn(error);
  if (known?.type === failureTypes.refused) return { reason: known.message, isArchiveFault: true };
  const problem =
    known?.type === failureTypes.storageUnavailable ? known.message : 'Something went wrong on our side.';
  const hours = Math.round(patienceSeconds / HOUR_SECONDS);
  const howLong = hours > 0 ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : `${patienceSeconds} seconds`;
  return {
    reason: `${problem} All attempts within ${howLong} failed; start again later.`,
    isArchiveFault: false,
  };
}

/** Finds the activity's failure that Parley has thrown in an error's chain of causes. */
function applicationFailureIn(error: unknown): ApplicationFailure | undefined {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof ApplicationFailure) return each;
  return undefined;
}
