import type { StripeAccount } from './account.ts';
import { FormParams } from './form-params.ts';
import type { ApiRequest, ApiResponse } from './stripe-mock.ts';
import { StripeRefusal } from './refusal.ts';
import { expand } from './expansion.ts';

export interface Call {
  /** Of the path's places, in their order. */
  ids: string[];
  /** The first of them. */
  id: string;
  params: FormParams;
}

export interface Route {
  method: string;
  path: RegExp;
  /** What the fake knows of the operation's parameters: others are refused, not passed over. */
  takes: string[];
  act: (account: StripeAccount, call: Call) => object;
}

/** Status of what Stripe may have, and the fake has not. */
export const NOT_KNOWN = 501;

/** @param path with its places as `:id` */
export function route(method: string, path: string, takes: string[], act: Route['act']): Route {
  return { method, path: new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`), takes, act };
}

/** Does what a request asks for, with Stripe's errors. */
export function perform(account: StripeAccount, routes: Route[], request: ApiRequest): ApiResponse {
  const { pathname, search } = new URL(request.path, account.url);
  const found = routes.find(({ method, path }) => method === request.method && path.test(pathname));
  const params = FormParams.parse(request.body === '' ? search : request.body);
  try {
    if (!found) throw unknownToFake(`${request.method} ${pathname}`);
    const strange = params.names.find((name) => name !== 'expand' && !found.takes.includes(name));
    if (strange !== undefined) throw unknownToFake(`${strange} of ${request.method} ${pathname}`);
    const ids = found.path.exec(pathname)!.slice(1).map(decodeURIComponent);
    const result = found.act(account, { ids, id: ids[0] ?? '', params });
    return { status: 200, body: expand(account, result, params.texts('expand')) };
  } catch (error) {
    if (error instanceof StripeRefusal) return error.response;
    throw error;
  }
}

/** Stripe may have it; whoever needs it adds it here. */
function unknownToFake(what: string): StripeRefusal {
  return new StripeRefusal(NOT_KNOWN, {
    type: 'api_error',
    message: `The fake of Stripe does not know ${what}.`,
  });
}
