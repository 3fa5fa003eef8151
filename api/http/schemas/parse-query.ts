import { parse } from 'node:querystring';
import type Koa from 'koa';

/**
 * The parameters of a request's query; those that are repeated are lists. Koa's own parser takes time that grows with the
 * square of how often one is repeated.
 */
export function parseQuery(koa: Koa.Context): Record<string, string | string[] | undefined> {
  return { ...parse(koa.querystring, '&', '=', { maxKeys: 0 }) };
}
