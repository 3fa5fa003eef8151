import type { Connection } from '@temporalio/client';
import { searchAttributes } from './temporal.ts';
import { withTemporalConnection } from './temporal-connection.ts';

type AttributeName = keyof typeof searchAttributes;

/** Numbers of the types of search attributes in Temporal's API, where their enum is IndexedValueType. */
const types = { Text: 1, Keyword: 2, KeywordList: 7 } as const;

/**
 * Returns the search attributes that Parley needs but Temporal's namespace lacks.
 * @throws Error if the server cannot be reached
 */
export function findMissingSearchAttributes(address: string, namespace: string): Promise<AttributeName[]> {
  return withTemporalConnection(address, (connection) => listMissingAttributes(connection, namespace));
}

/**
 * Registers missing search attributes in Temporal.
 * @returns their names
 */
export function registerSearchAttributes(address: string, namespace: string): Promise<string[]> {
  return withTemporalConnection(address, async (connection) => {
    const missing = await listMissingAttributes(connection, namespace);
    if (missing.length > 0) {
      await connection.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(missing.map((name) => [name, types[searchAttributes[name]]])),
      });
    }
    return missing;
  });
}

async function listMissingAttributes(connection: Connection, namespace: string): Promise<AttributeName[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const names = Object.keys(searchAttributes) as AttributeName[];
  return names.filter((name) => !Object.hasOwn(customAttributes, name));
}
