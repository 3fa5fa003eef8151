import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import {
  CalendarReconnect,
  CalendarRefused,
  CalendarUnavailable,
} from '../adapters/calendars/calendar-provider.ts';
import { ProviderRefused, ProviderUnavailable } from '../adapters/billing/payment-provider.ts';
import { OutboundError } from '../adapters/http/outbound-error.ts';
import { KeyServiceError } from '../adapters/keys/services/key-service.ts';
import { UnreadableDocument } from '../adapters/extraction/unreadable-document.ts';
import { WebSourceError } from '../adapters/web/web-source-error.ts';
import { ModelError } from '../core/answers/chat-model.ts';
import { limitWaitMs, MAX_ASKED_WAIT_MS } from '../core/concurrency/backoff.ts';
import { AppError, isKeyUnavailable } from '../core/errors/errors.ts';
import { StorageUnavailable } from '../services/archive/archive-storage.ts';
import { failureTypes } from '../core/workflows/failures.ts';

/** Maximum attempts at a source that is down, within about a quarter of a minute. */
const SOURCE_ATTEMPTS = 5;
/** Maximum attempts at a source that times out, since each may take minutes. */
const SLOW_SOURCE_ATTEMPTS = 2;
/** Maximum attempts at a failing model, which costs time and tokens. */
const MODEL_ATTEMPTS = 3;

/**
 * Converts an error for Temporal: whether to retry, and a message that people may see.
 * @param attempt number of the failed attempt, from 1
 */
export function toActivityFailure(error: unknown, attempt: number): Error {
  if (error instanceof CancelledFailure || error instanceof ApplicationFailure) return error;
  if (error instanceof UnreadableDocument) return createPermanentFailure(error, failureTypes.unreadable);
  if (error instanceof OutboundError || error instanceof WebSourceError) {
    const kind = error instanceof OutboundError ? error.kind : undefined;
    if (!error.isTransient && kind !== 'aborted')
      return createPermanentFailure(error, failureTypes.sourceRefused);
    return attempt >= (kind === 'timeout' ? SLOW_SOURCE_ATTEMPTS : SOURCE_ATTEMPTS)
      ? createPermanentFailure(error, failureTypes.sourceUnavailable)
      : ApplicationFailure.retryable(error.message, failureTypes.sourceUnavailable);
  }
  if (error instanceof ModelError) {
    return error.code === 'model_refused' || attempt >= MODEL_ATTEMPTS
      ? createPermanentFailure(error, failureTypes.modelFailed)
      : ApplicationFailure.retryable(error.message, failureTypes.modelFailed);
  }
  if (error instanceof CalendarRefused) return createPermanentFailure(error, failureTypes.calendarRefused);
  if (error instanceof CalendarReconnect)
    return createPermanentFailure(error, failureTypes.calendarReconnect);
  if (error instanceof CalendarUnavailable)
    return createRetryableFailure(error, failureTypes.calendarUnavailable);
  if (error instanceof ProviderUnavailable)
    return createRetryableFailure(error, failureTypes.paymentUnavailable);
  // An operator must fix what the provider refuses; retries then succeed.
  if (error instanceof ProviderRefused)
    return ApplicationFailure.retryable(error.message, failureTypes.paymentRefused);
  // Workflows wait until the key's owner restores it, and then repeat the activity without counting an attempt.
  if (error instanceof KeyServiceError || isKeyUnavailable(error))
    return createPermanentFailure(error, failureTypes.keyUnavailable);
  if (error instanceof StorageUnavailable)
    return ApplicationFailure.retryable(error.message, failureTypes.storageUnavailable);
  if (error instanceof AppError) return createPermanentFailure(error, failureTypes.refused);
  return ApplicationFailure.retryable('Something unexpected happened.', failureTypes.unexpected);
}

function createPermanentFailure(error: Error, type: string): ApplicationFailure {
  return ApplicationFailure.create({
    message: error.message,
    type,
    nonRetryable: true,
    category: 'BENIGN',
  });
}

/** Retries no earlier than the provider permits. */
function createRetryableFailure(
  { message, retryAfterMs }: CalendarUnavailable | ProviderUnavailable,
  type: string,
): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type,
    category: 'BENIGN',
    ...(retryAfterMs !== undefined && { nextRetryDelay: limitWaitMs(retryAfterMs, MAX_ASKED_WAIT_MS) }),
  });
}
