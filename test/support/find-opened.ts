import type { EntityTarget, FindManyOptions } from 'typeorm';
import { decryptRows, type ContentRow } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import type { Opened } from '../../database/sealed-columns.ts';

/** Finds database rows of an entity and decrypts their content. */
export async function findOpened<T extends ContentRow>(
  database: Database,
  entity: EntityTarget<T>,
  options: FindManyOptions<T>,
): Promise<Opened<T>[]> {
  return decryptRows(database, entity, await database.repository(entity).find(options));
}
