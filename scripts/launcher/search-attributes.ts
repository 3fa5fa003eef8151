import type { Connection } from '@temporalio/client';
import { searchAttributes } from './temporal.ts';
import { withConnection } from './temporal-connection.ts';

type AttributeName = keyof typeof searchAttributes;

/** Values of IndexedValueType in Temporal's API. */
const types = { Text: 1, Keyword: 2, KeywordList: 7 } as const;

/**
 * Returns the search attributes that the namespace lacks.
 * @throws Error if the server cannot be reached
 */
export function missingSearchAttributes(address: string, namespace: string): Promise<AttributeName[]> {
  return withConnection(address, (connection) => missingOn(connection, namespace));
}

/**
 * Registers missing search attributes.
 * @returns their names
 */
export function registerSearchAttributes(address: string, namespace: string): Promise<string[]> {
  return withConnection(address, async (connection) => {
    const missing = await missingOn(connection, namespace);
    if (missing.length > 0) {
      await connection.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(missing.map((name) => [name, types[searchAttributes[name]]])),
      });
    }
    return missing;
  });
}

async function missingOn(connection: Connection, namespace: string): Promise<AttributeName[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const names = Object.keys(searchAttributes) as AttributeName[];
  return names.filter((name) => !Object.hasOwn(customAttributes, name));
}
