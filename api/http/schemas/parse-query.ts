import { parse } from 'node:querystring';
import type Koa from 'koa';

/**
 * Parses the query of a request. Repeated parameters become lists. Koa's own parser takes quadratic time for
 * repeated parameters.
 */
export function parseQuery(koa: Koa.Context): Record<string, string | string[] | undefined> {
  return { ...parse(koa.querystring, '&', '=', { maxKeys: 0 }) };
}
