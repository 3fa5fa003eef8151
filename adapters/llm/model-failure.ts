import { APIError } from 'openai';
import { ModelError, type ModelErrorCode } from './chat-model.ts';

/** Codes by which the outbound client says that it will not contact an address. */
const REFUSED_ADDRESS = new Set(['url_refused', 'ESSRF']);

/** Tells what went wrong with a call, whatever layer threw. */
export function modelErrorFrom(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  const inner = causes(error).find((cause) => cause instanceof ModelError);
  if (inner) return inner;
  if (isAddressRefused(error)) return new ModelError('model_refused', error);
  if (error instanceof SyntaxError) return new ModelError('model_invalid_response', error);
  if (error instanceof APIError && error.status !== undefined) {
    return new ModelError(codeOfStatus(error.status, error.code), error);
  }
  if (error instanceof APIError && error.code === 'rate_limit_exceeded') {
    return new ModelError('model_rate_limited', error);
  }
  return new ModelError('model_unavailable', error);
}

/** What an HTTP status that is not 2xx means; `code` is the endpoint's own error code, if it sent one. */
export function codeOfStatus(status: number, code?: string | null): ModelErrorCode {
  if (status === 413 || code === 'context_length_exceeded') return 'model_too_long';
  if (status === 429) return 'model_rate_limited';
  if (status === 408 || status === 504) return 'model_timeout';
  return status >= 500 ? 'model_unavailable' : 'model_refused';
}

/** Whether the outbound client refused to contact the address, so that trying again is useless. */
export function isAddressRefused(error: unknown): boolean {
  return causes(error).some(
    (cause) => cause instanceof Error && 'code' in cause && REFUSED_ADDRESS.has(String(cause.code)),
  );
}

/** An error and the errors behind it, outermost first. */
function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let at = error; at instanceof Error && chain.length < 8; at = at.cause) chain.push(at);
  return chain;
}
