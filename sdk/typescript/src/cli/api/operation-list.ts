import * as operations from '../../generated/operations.ts';
import type { Operation } from '../../options.ts';

const variants: readonly Operation[] = Object.values(operations);

/**
 * All API operations by id. An operation that can also stream is listed once, by its variant without a
 * stream.
 */
export const operationList: readonly Operation[] = variants
  .filter(({ id }, index) => variants.findIndex((each) => each.id === id) === index)
  .sort((one, other) => (one.id < other.id ? -1 : 1));

/** Ids of all API operations. */
export const operationIds: readonly string[] = operationList.map(({ id }) => id);

/** Returns the parameters in an API operation's path as placeholders: `<bot_id>` for `/api/bots/{bot_id}`. */
export function listPathValues(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `<${name}>`);
}
