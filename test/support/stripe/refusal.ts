import type { ApiResponse } from './stripe-mock.ts';

interface StripeError {
  type: string;
  message: string;
  code?: string;
  param?: string;
}

/** An error in Stripe's shape. */
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

export function invalidRequest(message: string, details: { param?: string; code?: string } = {}) {
  return new StripeRefusal(400, { type: 'invalid_request_error', message, ...details });
}

/** As Stripe says it of an id in the path (404), or in a parameter (400). */
export function resourceMissing(kind: string, id: string, param = 'id'): StripeRefusal {
  const error = { type: 'invalid_request_error', code: 'resource_missing', param };
  return new StripeRefusal(param === 'id' ? 404 : 400, {
    ...error,
    message: `No such ${kind}: '${id}'`,
  });
}
