import type { EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { Batcher } from '../core/concurrency/batcher.ts';
import { isUuid } from '../core/ids.ts';
import type { Database } from './database.ts';
import type { Runnable } from './statement.ts';
import { supportsSoftDelete, joinColumnNames, listSelectedColumns, toEntity } from './row-mapping.ts';

export interface RowKey {
  id: string;
  orgId: string;
}

/**
 * Reads rows by id and workspace, which nearly every request does. Uses a prepared statement instead of
 * TypeORM's query builder. Batches concurrent reads outside of transactions. See
 * docs/patterns.md#row-readers-and-writers.
 */
export class RowReader<T extends ObjectLiteral> {
  readonly #columns: ColumnMetadata[];
  readonly #statement: Runnable<Record<string, unknown>>;
  readonly #batcher: Batcher<RowKey, T | null>;

  constructor(pool: Database, entity: EntityTarget<T>) {
    const metadata = pool.dataSource.getMetadata(entity);
    this.#columns = listSelectedColumns(metadata);
    this.#statement = buildReadStatement(metadata);
    this.#batcher = new Batcher((keys) => this.#select(pool, keys));
  }

  async read(db: Database, key: RowKey): Promise<T | null> {
    // Return null for a malformed id, which would make PostgreSQL reject the whole batch.
    if (!isUuid(key.id)) return null;
    return db.isTransaction ? (await this.#select(db, [key]))[0]! : this.#batcher.load(key);
  }

  async #select(db: Database, keys: RowKey[]): Promise<(T | null)[]> {
    const rows = await db.run(this.#statement, [keys.map(({ id }) => id), keys.map(({ orgId }) => orgId)]);
    const byKey = new Map(rows.map((row) => [`${String(row['id'])} ${String(row['org_id'])}`, row]));
    return keys.map(({ id, orgId }) => {
      const row = byKey.get(`${id.toLowerCase()} ${orgId}`);
      // Create a new object for each caller, because some callers modify it.
      return row ? toEntity<T>(this.#columns, row) : null;
    });
  }
}

function buildReadStatement(metadata: EntityMetadata): Runnable<Record<string, unknown>> {
  const hidden = supportsSoftDelete(metadata) ? ' AND deleted_at IS NULL' : '';
  return {
    name: `read-${metadata.tableName}`,
    isPrepared: true,
    text: `SELECT ${joinColumnNames(listSelectedColumns(metadata))} FROM "${metadata.tableName}"
           WHERE id = ANY($1::uuid[]) AND org_id = ANY($2::uuid[])${hidden}`,
  };
}
