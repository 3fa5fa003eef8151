import * as bots from './bots/bots.routes.ts';
import type { Operation } from './http/operation.ts';
import {
  createGetOpenApi,
  getErrorPage,
  getHealth,
  getMeta,
  getReadiness,
  listApiVersions,
} from './meta/meta.routes.ts';

/** Every operation of the API. */
export const operations: readonly Operation[] = [
  ...Object.values(bots),
  getHealth,
  getReadiness,
  getMeta,
  listApiVersions,
  getErrorPage,
  createGetOpenApi(() => operations),
];
