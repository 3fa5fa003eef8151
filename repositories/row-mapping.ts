import type { EntityMetadata, ObjectLiteral } from 'typeorm';

/** The columns that an entity is read with. */
export function selectable(metadata: EntityMetadata) {
  return metadata.columns.filter((column) => column.isSelect);
}

/** The same as a list for SELECT and RETURNING. */
export function selectList(metadata: EntityMetadata): string {
  return selectable(metadata)
    .map(({ databaseName }) => `"${databaseName}"`)
    .join(', ');
}

export function isSoftDeleted(metadata: EntityMetadata): boolean {
  return metadata.findColumnWithPropertyName('deletedAt') !== undefined;
}

/** An entity from a row that pg has parsed already. */
export function toEntity<T extends ObjectLiteral>(metadata: EntityMetadata, row: Record<string, unknown>): T {
  const entity: Record<string, unknown> = {};
  for (const { transformer, databaseName, propertyName } of selectable(metadata)) {
    const value = row[databaseName];
    entity[propertyName] =
      transformer && !Array.isArray(transformer) ? (transformer.from(value) as unknown) : value;
  }
  return entity as T;
}
