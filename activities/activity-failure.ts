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
import { limitWaitMs, MAX_REQUESTED_WAIT_MS } from '../core/concurrency/backoff.ts';
import { AppError, isKeyUnavailable } from '../core/errors/errors.ts';
import { StorageUnavailable } from '../services/archive/archive-storage.ts';
import { failureTypes } from '../core/workflows/failures.ts';

/** Maximum number of attempts to read a website that is down. All attempts together take about 15 seconds. */
const MAX_SOURCE_ATTEMPTS = 5;
/** Maximum number of attempts to read a website that times out: fewer, since each may take minutes. */
const MAX_SLOW_SOURCE_ATTEMPTS = 2;
/** Maximum number of attempts to call a failing language model: few, since each costs time and tokens. */
const MAX_MODEL_ATTEMPTS = 3;

/**
 * Converts an activity's error to a Temporal failure that says whether to retry and has a message for people.
 * @param attempt number of the failed attempt, from 1
 */
export function toActivityFailure(error: unknown, attempt: number): Error {
  if (error instanceof CancelledFailure || error instanceof ApplicationFailure) return error;
  if (error instanceof UnreadableDocument) return createPermanentFailure(error, failureTypes.unreadable);
  if (error instanceof OutboundError || error instanceof WebSourceError) {
    const kind = error instanceof OutboundError ? error.kind : undefined;
    if (!error.isTransient && kind !== 'aborted')
      return createPermanentFailure(error, failureTypes.sourceRefused);
    return attempt >= (kind === 'timeout' ? MAX_SLOW_SOURCE_ATTEMPTS : MAX_SOURCE_ATTEMPTS)
      ? createPermanentFailure(error, failureTypes.sourceUnavailable)
      : ApplicationFailure.retryable(error.message, failureTypes.sourceUnavailable);
  }
  if (error instanceof ModelError) {
    return error.code === 'model_refused' || attempt >= MAX_MODEL_ATTEMPTS
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
  // Temporal retries this failure, since retries succeed once an operator has corrected what the payment
  // provider refuses.
  if (error instanceof ProviderRefused)
    return ApplicationFailure.retryable(error.message, failureTypes.paymentRefused);
  // Temporal does not retry this failure: the workflow waits until the workspace's key is available, then
  // runs the activity again without counting this attempt.
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

/** Creates a failure that Temporal retries no earlier than the provider's Retry-After. */
function createRetryableFailure(
  { message, retryAfterMs }: CalendarUnavailable | ProviderUnavailable,
  type: string,
): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type,
    category: 'BENIGN',
    ...(retryAfterMs !== undefined && { nextRetryDelay: limitWaitMs(retryAfterMs, MAX_REQUESTED_WAIT_MS) }),
  });
}
