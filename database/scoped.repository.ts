import type { EntityTarget, ObjectLiteral, QueryDeepPartialEntity, SelectQueryBuilder } from 'typeorm';
import { memoizePerObject } from '../core/concurrency/memoize-per-object.ts';
import { notFound, createOtherWorkspaceError } from '../core/errors/errors.ts';
import {
  changesContent,
  findContent,
  decryptRows,
  decryptStoredRow,
  sealRow,
  type ContentRow,
} from './content.ts';
import { updateContent } from './content-update.ts';
import type { Database } from './database.ts';
import type { OrgScope } from './org-scope.ts';
import { supportsSoftDelete } from './row-mapping.ts';
import { RowReader } from './row-reader.ts';
import { RowWriter } from './row-writer.ts';
import type { Opened } from './sealed-columns.ts';

export interface TenantRow extends ObjectLiteral {
  id: string;
  orgId: string;
}

/** New values of a row's columns, or functions that return SQL, such as `() => 'now()'`. */
export type RowChanges<T> = { [K in keyof T]?: Opened<T>[K] | (() => string) };

type RowLock = 'pessimistic_read' | 'pessimistic_write' | 'for_no_key_update';

/**
 * Reads and writes rows of a table, limited to the scope's workspace. Base class of the repositories of
 * tenants' tables.
 */
export class ScopedRepository<T extends TenantRow> {
  readonly #entity: EntityTarget<T>;
  readonly #label: string;
  /** Kind of database lock for rows that the transaction may change. */
  protected readonly lockForUpdate: RowLock = 'pessimistic_write';
  readonly #reader = memoizePerObject((pool: Database) => new RowReader<T>(pool, this.#entity));
  readonly #writer = memoizePerObject((pool: Database) => new RowWriter<T>(pool, this.#entity));

  /** @param what name for a row in error messages, such as "bot" */
  constructor(entity: EntityTarget<T>, what: string) {
    this.#entity = entity;
    this.#label = what;
  }

  /** Returns a query over the workspace's rows, aliased `row`. */
  query({ db, orgId }: OrgScope): SelectQueryBuilder<T> {
    const query = db
      .repository(this.#entity)
      .createQueryBuilder('row')
      .where('row.org_id = :orgId', { orgId });
    return supportsSoftDelete(db.dataSource.getMetadata(this.#entity))
      ? query.andWhere('row.deleted_at IS NULL')
      : query;
  }

  async find({ db, orgId }: OrgScope, id: string): Promise<T | null> {
    return this.#reader(db.withoutTransaction).read(db, { id, orgId });
  }

  /**
   * Returns the workspace's row with this id.
   * @throws AppError `not_found` if the row is missing, `forbidden` if it belongs to another workspace
   */
  async get(scope: OrgScope, id: string): Promise<T> {
    return (await this.find(scope, id)) ?? this.throwMissing(scope, id);
  }

  /** Locks a row of the workspace until the transaction ends. Returns null if the row does not exist. */
  async findLocked(scope: OrgScope, id: string): Promise<T | null> {
    await this.beforeLock(scope, id);
    return this.#findLocked(scope, id, this.lockForUpdate);
  }

  /**
   * Locks a row of the workspace until the transaction ends.
   * @throws the errors of `get` if the row is missing
   */
  async lock(scope: OrgScope, id: string): Promise<T> {
    await this.beforeLock(scope, id);
    return this.#getLocked(scope, id, this.lockForUpdate);
  }

  /**
   * Prevents changes and deletion of a row until the transaction ends, by a shared lock.
   * @throws the errors of `get` if the row is missing
   */
  async lockShared(scope: OrgScope, id: string): Promise<T> {
    return this.#getLocked(scope, id, 'pessimistic_read');
  }

  /**
   * Decrypts the content of a stored row.
   * @throws AppError `key_unavailable`
   * @throws Error if the content was changed outside of Parley
   */
  async open<R extends T>(scope: OrgScope, row: R): Promise<Opened<R>> {
    const [opened] = await this.openAll<R>(scope, [row]);
    return opened!;
  }

  /**
   * Decrypts the content of stored rows in order.
   * @throws the errors of `open`
   */
  async openAll<R extends T>({ db }: OrgScope, rows: readonly R[]): Promise<Opened<R>[]> {
    return decryptRows<ContentRow>(db, this.#entity, rows as readonly object[] as ContentRow[]) as Promise<
      Opened<R>[]
    >;
  }

  /** Inserts a row into the workspace. Returns it with all stored values, decrypted. */
  insert(scope: OrgScope, row: Partial<Opened<T>>): Promise<Opened<T>> {
    return this.#insert(scope, row, (stored) =>
      this.#writer(scope.db.withoutTransaction).insert(scope.db, stored),
    );
  }

  /**
   * Inserts a row like `insert`, as the last write of a transaction. Sends the INSERT together with COMMIT,
   * which saves a round trip. If the database must compute a column, the INSERT is sent first, because its
   * result is needed.
   */
  insertWithCommit(scope: OrgScope, row: Partial<Opened<T>>): Promise<Opened<T>> {
    return this.#insert(scope, row, (stored) =>
      this.#writer(scope.db.withoutTransaction).insertWithCommit(scope.db, stored),
    );
  }

  /**
   * Updates columns of a row in the workspace.
   * @returns false if the row does not exist
   */
  async update(scope: OrgScope, id: string, changes: RowChanges<T>): Promise<boolean> {
    if (Object.keys(changes).length === 0) return true;
    const content = findContent(this.#entity);
    if (content && changesContent(content, changes))
      return updateContent(scope, this.#entity, content, id, changes);
    const result = await scope.db
      .repository(this.#entity)
      .createQueryBuilder()
      .update()
      .set(changes as QueryDeepPartialEntity<T>)
      .where('id = :id AND org_id = :orgId', { id, orgId: scope.orgId })
      .execute();
    return result.affected === 1;
  }

  async delete(scope: OrgScope, id: string): Promise<boolean> {
    const result = await scope.db
      .repository(this.#entity)
      .createQueryBuilder()
      .delete()
      .where('id = :id AND org_id = :orgId', { id, orgId: scope.orgId })
      .execute();
    return result.affected === 1;
  }

  /**
   * Throws the error for a row that does not exist in the workspace.
   * @throws AppError `not_found` if the row is missing, `forbidden` if it belongs to another workspace
   */
  async throwMissing(scope: OrgScope, id: string): Promise<never> {
    const owner = await this.#findOwner(scope.db, id);
    if (owner !== null && owner !== scope.orgId) throw createOtherWorkspaceError(this.#label);
    throw notFound(this.#label);
  }

  /**
   * Hook that is called before a row is locked; does nothing by default. A repository overrides this method
   * if the writers of its table first take an advisory lock. Taking the same lock avoids deadlocks with these
   * writers.
   */
  protected beforeLock(_scope: OrgScope, _id: string): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Encrypts a row's content and inserts the row with the given function.
   * @throws AppError `key_unavailable`
   */
  async #insert(
    { db, orgId }: OrgScope,
    row: Partial<Opened<T>>,
    insert: (stored: Partial<T>) => Promise<T>,
  ): Promise<Opened<T>> {
    const ownRow = { ...row, orgId } as ObjectLiteral & { orgId: string };
    if (!findContent(this.#entity)) return insert(ownRow as Partial<T>) as Promise<Opened<T>>;
    const stored = await insert((await sealRow(db.dataSource, this.#entity, ownRow)) as Partial<T>);
    return decryptStoredRow<ContentRow>(db, this.#entity, stored as unknown as ContentRow) as Opened<T>;
  }

  async #getLocked(scope: OrgScope, id: string, lock: RowLock): Promise<T> {
    return (await this.#findLocked(scope, id, lock)) ?? this.throwMissing(scope, id);
  }

  #findLocked(scope: OrgScope, id: string, lock: RowLock): Promise<T | null> {
    return this.query(scope).andWhere('row.id = :id', { id }).setLock(lock).getOne();
  }

  async #findOwner(db: Database, id: string): Promise<string | null> {
    const table = db.dataSource.getMetadata(this.#entity).tableName;
    const [row] = await db.sql<{ org_id: string }>(`SELECT org_id FROM "${table}" WHERE id = $1`, [id]);
    return row?.org_id ?? null;
  }
}
