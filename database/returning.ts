import type {
  FindOptionsWhere,
  ObjectLiteral,
  QueryDeepPartialEntity,
  ReturningOption,
  Repository,
} from 'typeorm';
import { listSelectedColumns, toEntity } from './row-mapping.ts';

type Where<T> = FindOptionsWhere<T> | FindOptionsWhere<T>[];

/**
 * Inserts a row, and returns it with all its stored values. Returns null if a unique constraint is violated.
 */
export async function insertOrIgnore<T extends ObjectLiteral>(
  rows: Repository<T>,
  row: QueryDeepPartialEntity<T>,
): Promise<T | null> {
  const query = rows.createQueryBuilder().insert().values(row).orIgnore();
  const { raw } = await query.returning(listReturningColumns(rows)).updateEntity(false).execute();
  return toEntities(rows, raw)[0] ?? null;
}

/** Updates rows of a table, and returns them with their new values. */
export async function updateReturning<T extends ObjectLiteral>(
  rows: Repository<T>,
  where: Where<T>,
  changes: QueryDeepPartialEntity<T>,
): Promise<T[]> {
  const query = rows.createQueryBuilder().update().set(changes).where(where);
  const { raw } = await query.returning(listReturningColumns(rows)).updateEntity(false).execute();
  return toEntities(rows, raw);
}

/** Deletes rows of a table, and returns them. */
export async function deleteReturning<T extends ObjectLiteral>(
  rows: Repository<T>,
  where: Where<T>,
): Promise<T[]> {
  const query = rows.createQueryBuilder().delete().where(where);
  const { raw } = await query.returning(listReturningColumns(rows)).execute();
  return toEntities(rows, raw);
}

function listReturningColumns<T extends ObjectLiteral>({ metadata }: Repository<T>): ReturningOption {
  return listSelectedColumns(metadata).map(({ propertyName }) => propertyName);
}

function toEntities<T extends ObjectLiteral>({ metadata }: Repository<T>, raw: unknown): T[] {
  const columns = listSelectedColumns(metadata);
  return (raw as Record<string, unknown>[]).map((row) => toEntity<T>(columns, row));
}
