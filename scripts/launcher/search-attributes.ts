import type { Connection } from '@temporalio/client';
import { searchAttributes } from './temporal.ts';
import { withConnection } from './temporal-connection.ts';

/** IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD of Temporal's API. */
const KEYWORD = 2;

/** The attributes that the namespace lacks. @throws Error when the server cannot be reached */
export function missingSearchAttributes(address: string, namespace: string): Promise<string[]> {
  return withConnection(address, (connection) => missingOn(connection, namespace));
}

/** Registers what the namespace lacks; the answer names it. */
export function registerSearchAttributes(address: string, namespace: string): Promise<string[]> {
  return withConnection(address, async (connection) => {
    const missing = await missingOn(connection, namespace);
    if (missing.length > 0) {
      await connection.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])),
      });
    }
    return missing;
  });
}

async function missingOn(connection: Connection, namespace: string): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return searchAttributes.filter((name) => !Object.hasOwn(customAttributes, name));
}
