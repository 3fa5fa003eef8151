import type { ApiResponse } from './stripe-mock.ts';

interface StripeError {
  type: string;
  message: string;
  code?: string;
  param?: string;
}

/** An error of the fake in Stripe's format. */
export class StripeRefusal extends Error {
  constructor(
    readonly status: number,
    readonly error: StripeError,
  ) {
    super(error.message);
  }

  get response(): ApiResponse {
    return { status: this.status, body: { error: this.error } };
  }
}

export function createInvalidRequest(message: string, details: { param?: string; code?: string } = {}) {
  return new StripeRefusal(400, { type: 'invalid_request_error', message, ...details });
}

/** Creates Stripe's error for an unknown id: 404 in the path, 400 in a parameter. */
export function createResourceMissing(kind: string, id: string, param = 'id'): StripeRefusal {
  const error = { type: 'invalid_request_error', code: 'resource_missing', param };
  return new StripeRefusal(param === 'id' ? 404 : 400, {
    ...error,
    message: `No such ${kind}: '${id}'`,
  });
}
