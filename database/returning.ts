import type {
  FindOptionsWhere,
  ObjectLiteral,
  QueryDeepPartialEntity,
  ReturningOption,
  Repository,
} from 'typeorm';
import { selectable, toEntity } from './row-mapping.ts';

type Where<T> = FindOptionsWhere<T> | FindOptionsWhere<T>[];

/** Returns the stored row, or null on a unique conflict. */
export async function insertOrIgnore<T extends ObjectLiteral>(
  rows: Repository<T>,
  row: QueryDeepPartialEntity<T>,
): Promise<T | null> {
  const query = rows.createQueryBuilder().insert().values(row).orIgnore();
  const { raw } = await query.returning(columnsOf(rows)).updateEntity(false).execute();
  return entitiesOf(rows, raw)[0] ?? null;
}

/** Returns the rows after the update. */
export async function updateReturning<T extends ObjectLiteral>(
  rows: Repository<T>,
  where: Where<T>,
  changes: QueryDeepPartialEntity<T>,
): Promise<T[]> {
  const query = rows.createQueryBuilder().update().set(changes).where(where);
  const { raw } = await query.returning(columnsOf(rows)).updateEntity(false).execute();
  return entitiesOf(rows, raw);
}

/** Returns the deleted rows. */
export async function deleteReturning<T extends ObjectLiteral>(
  rows: Repository<T>,
  where: Where<T>,
): Promise<T[]> {
  const query = rows.createQueryBuilder().delete().where(where);
  const { raw } = await query.returning(columnsOf(rows)).execute();
  return entitiesOf(rows, raw);
}

function columnsOf<T extends ObjectLiteral>({ metadata }: Repository<T>): ReturningOption {
  return selectable(metadata).map(({ propertyName }) => propertyName);
}

function entitiesOf<T extends ObjectLiteral>({ metadata }: Repository<T>, raw: unknown): T[] {
  const columns = selectable(metadata);
  return (raw as Record<string, unknown>[]).map((row) => toEntity<T>(columns, row));
}
