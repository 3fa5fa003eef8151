import type { EntityTarget, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { ContentKey } from './content-keys.ts';
import { decryptGenuineRows, requireContent, sealRowWith, type Content, type ContentRow } from './content.ts';
import type { Database } from './database.ts';
import { hasContent, type ContentColumn } from './stored-values.ts';
import type { OrgScope } from './org-scope.ts';
import type { Runnable } from './statement.ts';

/** Form in which a workspace's content must be stored after a change of its encryption. */
export interface ContentTarget {
  /** Key with which content must be encrypted; null if content must be plain text. */
  key: ContentKey | null;
  /**
   * Ids of the data keys with which rows may stay encrypted. Rows with any other data key must be encrypted
   * again.
   */
  keyIds: readonly string[];
}

/**
 * Returns true if content with this data key must be encrypted, encrypted again or decrypted to match the
 * target.
 * @param keyId data key of the stored content; null for plain text
 */
export function needsReseal(keyId: string | null, { key, keyIds }: ContentTarget): boolean {
  if (key === null) return keyId !== null;
  return keyId === null || !keyIds.includes(keyId);
}

/**
 * Limits a query, aliased `row`, to rows whose content must be encrypted, encrypted again or decrypted. If
 * the target is encryption, these rows include plain rows without content.
 */
export function whereNeedsReseal<T extends ContentRow>(
  query: SelectQueryBuilder<T>,
  { key, keyIds }: ContentTarget,
): SelectQueryBuilder<T> {
  if (key === null) return query.andWhere('row.keyId IS NOT NULL');
  return query.andWhere('(row.keyId IS NULL OR row.keyId <> ALL(:keyIds))', { keyIds });
}

/** Lists the columns that `convertRows` reads. */
export function listContentColumns<T extends ContentRow>(entity: EntityTarget<T>): string[] {
  const { rowKey, columns } = requireContent(entity);
  const boundColumns = [...columns.values()].map(({ boundTo }) => boundTo);
  return [...new Set([rowKey, 'orgId', 'keyId', ...boundColumns, ...columns.keys()])].map(
    (property) => `row.${property}`,
  );
}

/**
 * Encrypts or decrypts the content of locked rows to match the target. Skips plain rows that were changed
 * outside of Parley, because encryption would make the changed values look genuine.
 * @returns number of converted rows that have content
 * @throws AppError `key_unavailable`
 */
export async function convertRows<T extends ContentRow>(
  { db, orgId }: OrgScope,
  entity: EntityTarget<T>,
  rows: readonly T[],
  { key }: ContentTarget,
): Promise<number> {
  const content = requireContent(entity);
  const properties = [...content.columns.keys()];
  const opened = await decryptGenuineRows(db, entity, rows);
  const filled = opened.filter(
    (row) => row.keyId !== null || properties.some((property) => hasContent(row[property])),
  );
  if (filled.length === 0) return 0;
  const stored = filled.map((row) => sealRowWith(content, key, row));
  await db.run(buildRewriteStatement(db, entity, content), [
    orgId,
    stored.map((row) => row[content.rowKey] as string),
    stored.map(({ keyId }) => keyId),
    ...properties.map((property) => stored.map((row) => serializeValue(content, property, row[property]))),
  ]);
  return filled.length;
}

function serializeValue({ columns }: Content, property: string, value: unknown): unknown {
  return columns.get(property)!.type === 'text' || value === null ? value : JSON.stringify(value);
}

/**
 * Returns the SQL for a column's new values. New lists arrive as JSON, because `unnest` would flatten an
 * array of arrays into one list.
 */
function toNewValueSql({ name, type }: ContentColumn): string {
  return type === 'list' ? `ARRAY(SELECT jsonb_array_elements_text(n."${name}"))` : `n."${name}"`;
}

/**
 * Builds the UPDATE statement that stores rows with converted content. Parameters: $1 workspace, $2 row keys,
 * $3 data keys, then one array for each column.
 */
function buildRewriteStatement<T extends ObjectLiteral>(
  db: Database,
  entity: EntityTarget<T>,
  { table, rowKey, columns }: Content,
): Runnable<never> {
  const { columns: all } = db.dataSource.getMetadata(entity);
  const toColumnName = (property: string) =>
    all.find(({ propertyName }) => propertyName === property)!.databaseName;
  const writtenColumns = [...columns.values()];
  const names = writtenColumns.map(({ name }) => `"${name}"`);
  const set = writtenColumns.map((column) => `"${column.name}" = ${toNewValueSql(column)}`).join(', ');
  const arrays = writtenColumns
    .map(({ type }, index) => `$${index + 4}::${type === 'list' ? 'jsonb' : type}[]`)
    .join(', ');
  return {
    name: `rewrite-${table}`,
    isPrepared: true,
    text: `UPDATE "${table}" t SET "${toColumnName('keyId')}" = n.key_id, ${set}
           FROM unnest($2::uuid[], $3::uuid[], ${arrays}) AS n (row_key, key_id, ${names.join(', ')})
           WHERE t."${toColumnName(rowKey)}" = n.row_key AND t.org_id = $1`,
  };
}
