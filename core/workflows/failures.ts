import { ActivityFailure, ApplicationFailure, CancelledFailure, TimeoutFailure } from '@temporalio/common';

/** Types of activities' failures; the messages of all but `unexpected` are written for people. */
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

const told: ReadonlySet<string> = new Set(
  Object.values(failureTypes).filter((type) => type !== failureTypes.unexpected),
);

/** Whether the activity has to wait for the key of its workspace. */
export function isKeyUnavailable(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.type === failureTypes.keyUnavailable;
}

/** Whether trying again would change nothing. */
export function isFinal(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.nonRetryable === true;
}

/** Whether the source may be there the next time: it has not said no, and could be read if it came. */
export function isForNow(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  return ![failureTypes.unreadable, failureTypes.sourceRefused, failureTypes.refused].some(
    (each) => each === type,
  );
}

/** Why a model could not do what it was asked for, in words for operators. */
export function describeModelFailure(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure && cause.type === failureTypes.modelFailed) return cause.message;
  if (cause instanceof TimeoutFailure) return 'It took too long.';
  return 'Something went wrong on our side.';
}

/** Explains to the owner of the document why an activity finally failed. */
export function describeIngestFailure(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure && told.has(cause.type ?? '')) return cause.message;
  if (cause instanceof TimeoutFailure) return 'It took too long. Index it again, or split it.';
  if (cause instanceof CancelledFailure) return 'The indexing was cancelled.';
  return 'Something went wrong on our side. Index it again; if it fails again, report it.';
}

const calendarTypes: ReadonlySet<string> = new Set([
  failureTypes.calendarRefused,
  failureTypes.calendarReconnect,
  failureTypes.calendarUnavailable,
]);

/** Why a provider of calendars could not be asked, in words for operators, and how long it is to be left alone. */
export function describeCalendarFailure(error: unknown): {
  isReconnect: boolean;
  message: string;
  waitMs: number;
} {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const known =
    cause instanceof ApplicationFailure && calendarTypes.has(cause.type ?? '') ? cause : undefined;
  const asked = known?.nextRetryDelay;
  return {
    isReconnect: known?.type === failureTypes.calendarReconnect,
    message: known?.message ?? 'It could not be done in time.',
    waitMs: typeof asked === 'number' ? asked : 0,
  };
}

const HOUR_SECONDS = 3600;

/** Why an export or import has failed, in words for people, and whether that is about the archive itself. */
export function describeArchiveFailure(
  error: unknown,
  patienceSeconds: number,
): { reason: string; isOfArchive: boolean } {
  const known = applicationFailureIn(error);
  if (known?.type === failureTypes.refused) return { reason: known.message, isOfArchive: true };
  const what =
    known?.type === failureTypes.storageUnavailable ? known.message : 'Something went wrong on our side.';
  const hours = Math.round(patienceSeconds / HOUR_SECONDS);
  const howLong = hours > 0 ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : `${patienceSeconds} seconds`;
  return { reason: `${what} It was tried for ${howLong}; start again later.`, isOfArchive: false };
}

/** The last thing that an attempt has failed with. */
function applicationFailureIn(error: unknown): ApplicationFailure | undefined {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof ApplicationFailure) return each;
  return undefined;
}
