import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { DateUtils } from 'typeorm/util/DateUtils.js';

/** The columns that an entity is read with. */
export function selectable(metadata: EntityMetadata): ColumnMetadata[] {
  return metadata.columns.filter((column) => column.isSelect);
}

/** For SELECT and RETURNING. */
export function listOf(columns: readonly ColumnMetadata[]): string {
  return columns.map(({ databaseName }) => `"${databaseName}"`).join(', ');
}

export function isSoftDeleted(metadata: EntityMetadata): boolean {
  return metadata.findColumnWithPropertyName('deletedAt') !== undefined;
}

/** An entity from a row that pg has parsed already. */
export function toEntity<T extends ObjectLiteral>(
  columns: readonly ColumnMetadata[],
  row: Record<string, unknown>,
): T {
  const entity: Record<string, unknown> = {};
  for (const { transformer, databaseName, propertyName, type } of columns) {
    const value = row[databaseName];
    if (transformer && !Array.isArray(transformer)) entity[propertyName] = transformer.from(value) as unknown;
    else entity[propertyName] = type === 'date' ? dayOf(value) : value;
  }
  return entity as T;
}

/** As TypeORM has days: pg makes midnights of them. */
function dayOf(value: unknown): unknown {
  return value instanceof Date ? DateUtils.mixedDateToDateString(value) : value;
}
