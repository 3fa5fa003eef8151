import { StripeRefusal } from './refusal.ts';
import type { ApiRequest, ApiResponse } from './stripe-mock.ts';

interface StoredResponse {
  request: string;
  response: ApiResponse | null;
}

export interface Repeatable {
  response: ApiResponse;
  isReplayed: boolean;
}

/** Repeats the fake's response to a request with the same idempotency key and parameters. */
export class Idempotency {
  readonly #kept = new Map<string, StoredResponse>();

  /** Runs a request once for each idempotency key. Errors are not stored: a repeated request runs again. */
  async runOnce(request: ApiRequest, act: () => Promise<ApiResponse>): Promise<Repeatable> {
    const key = request.headers['idempotency-key'];
    if (key === undefined || request.method !== 'POST') return { response: await act(), isReplayed: false };
    const fingerprint = `${request.method} ${request.path} ${request.body}`;
    const known = this.#kept.get(key);
    if (known)
      return { response: replayResponse(known, fingerprint, key), isReplayed: known.response !== null };
    const stored: StoredResponse = { request: fingerprint, response: null };
    this.#kept.set(key, stored);
    try {
      stored.response = await act();
    } finally {
      if (stored.response?.status !== 200) this.#kept.delete(key);
    }
    return { response: stored.response, isReplayed: false };
  }
}

function replayResponse({ request, response }: StoredResponse, made: string, key: string): ApiResponse {
  if (request !== made)
    return buildIdempotencyError(400, {
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  return (
    response ??
    buildIdempotencyError(409, {
      code: 'idempotency_key_in_use',
      message: `There is currently another in-progress request using this Idempotent Key ${key}.`,
    })
  );
}

function buildIdempotencyError(status: number, error: { message: string; code?: string }): ApiResponse {
  return new StripeRefusal(status, { type: 'idempotency_error', ...error }).response;
}
