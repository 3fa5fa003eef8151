import type { StripeAccount } from './account.ts';
import { FormParams } from './form-params.ts';
import type { ApiRequest, ApiResponse } from './stripe-mock.ts';
import { StripeRefusal } from './refusal.ts';
import { expand } from './expansion.ts';

export interface Call {
  /** Values of the parameters in the path of the request, in order. */
  ids: string[];
  /** The first of `ids`. */
  id: string;
  params: FormParams;
}

export interface Route {
  method: string;
  path: RegExp;
  /** Parameters of the request that the fake knows. The fake refuses other parameters instead of ignoring them. */
  parameters: string[];
  act: (account: StripeAccount, call: Call) => object;
}

/** Status of the fake's response to requests that Stripe's API may have but the fake does not. */
export const NOT_KNOWN = 501;

/** @param path path with its parameters as `:id` */
export function createRoute(method: string, path: string, takes: string[], act: Route['act']): Route {
  return { method, path: new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`), parameters: takes, act };
}

/** Performs a request to the fake, and responds with Stripe's errors. */
export function performRequest(account: StripeAccount, routes: Route[], request: ApiRequest): ApiResponse {
  const { pathname, search } = new URL(request.path, account.url);
  const found = routes.find(({ method, path }) => method === request.method && path.test(pathname));
  const params = FormParams.parse(request.body === '' ? search : request.body);
  try {
    if (!found) throw createUnknownError(`${request.method} ${pathname}`);
    const strange = params.names.find((name) => name !== 'expand' && !found.parameters.includes(name));
    if (strange !== undefined) throw createUnknownError(`${strange} of ${request.method} ${pathname}`);
    const ids = found.path.exec(pathname)!.slice(1).map(decodeURIComponent);
    const result = found.act(account, { ids, id: ids[0] ?? '', params });
    return { status: 200, body: expand(account, result, params.getTexts('expand')) };
  } catch (error) {
    if (error instanceof StripeRefusal) return error.response;
    throw error;
  }
}

/**
 * Creates the error for a request or parameter that the fake does not know. A test that needs the request or
 * parameter must extend the fake.
 */
function createUnknownError(what: string): StripeRefusal {
  return new StripeRefusal(NOT_KNOWN, {
    type: 'api_error',
    message: `The fake of Stripe does not know ${what}.`,
  });
}
