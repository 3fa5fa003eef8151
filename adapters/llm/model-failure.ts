import { OutboundError, type OutboundErrorKind } from '../http/outbound-error.ts';
import { ModelError, type ModelErrorCode } from '../../core/answers/chat-model.ts';

/** Error codes for failed requests to a model that are more specific than `model_unavailable`. */
const kindErrorCodes: Partial<Record<OutboundErrorKind, ModelErrorCode>> = {
  refused: 'model_refused',
  dns_not_found: 'model_refused',
  tls: 'model_refused',
  timeout: 'model_timeout',
  too_large: 'model_too_long',
  invalid_response: 'model_invalid_response',
};

/** Converts any error of a call to a language model to a ModelError. */
export function toModelError(error: unknown): ModelError {
  const modelError = listCauses(error).find((cause) => cause instanceof ModelError);
  return modelError ?? new ModelError(findModelErrorCode(error), error);
}

function findModelErrorCode(error: unknown): ModelErrorCode {
  const outbound = findOutboundError(error);
  if (outbound) return kindErrorCodes[outbound.kind] ?? 'model_unavailable';
  if (error instanceof SyntaxError) return 'model_invalid_response';
  return 'model_unavailable';
}

/**
 * Returns the error code for an HTTP status of a model's endpoint that is not a success.
 * @param code error code in the endpoint's response, if the endpoint sent one
 */
export function toStatusErrorCode(status: number, code?: string | null): ModelErrorCode {
  if (status === 413 || code === 'context_length_exceeded') return 'model_too_long';
  if (status === 429) return 'model_rate_limited';
  if (status === 408 || status === 504) return 'model_timeout';
  return status >= 500 ? 'model_unavailable' : 'model_refused';
}

/**
 * Returns whether an immediate retry of a model call may succeed: the connection failed before a response.
 */
export function isWorthRetrying(error: unknown): boolean {
  const outbound = findOutboundError(error);
  return !outbound || outbound.kind === 'connection_refused' || outbound.kind === 'connection_reset';
}

function findOutboundError(error: unknown): OutboundError | undefined {
  return listCauses(error).find((cause) => cause instanceof OutboundError);
}

/** Returns an error of a model call and the errors that caused it, outermost first. */
function listCauses(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < 8; at = at.cause) chain.push(at);
  return chain;
}
