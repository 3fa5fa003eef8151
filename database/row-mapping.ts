import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { DateUtils } from 'typeorm/util/DateUtils.js';

/** Lists the columns of an entity that TypeORM selects by default. */
export function listSelectedColumns(metadata: EntityMetadata): ColumnMetadata[] {
  return metadata.columns.filter((column) => column.isSelect);
}

/** Joins the names of columns for the SQL clauses SELECT and RETURNING. */
export function joinColumnNames(columns: readonly ColumnMetadata[]): string {
  return columns.map(({ databaseName }) => `"${databaseName}"`).join(', ');
}

export function supportsSoftDelete(metadata: EntityMetadata): boolean {
  return metadata.findColumnWithPropertyName('deletedAt') !== undefined;
}

/** Converts a database row from the library pg to an entity. */
export function toEntity<T extends ObjectLiteral>(
  columns: readonly ColumnMetadata[],
  row: Record<string, unknown>,
): T {
  const entity: Record<string, unknown> = {};
  for (const { transformer, databaseName, propertyName, type } of columns) {
    const value = row[databaseName];
    if (transformer && !Array.isArray(transformer)) entity[propertyName] = transformer.from(value) as unknown;
    else entity[propertyName] = type === 'date' ? toDateString(value) : value;
  }
  return entity as T;
}

/**
 * Converts a date column's value to a string like TypeORM does, because the library pg returns a `Date` at
 * midnight.
 */
function toDateString(value: unknown): unknown {
  return value instanceof Date ? DateUtils.mixedDateToDateString(value) : value;
}
