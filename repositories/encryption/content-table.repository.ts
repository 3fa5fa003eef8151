import type { EntityTarget, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { cutBatches } from '../../core/cut-batches.ts';
import {
  listContentColumns,
  convertRows,
  whereNeedsReseal,
  type ContentTarget,
} from '../../database/content-conversion.ts';
import { requireContent, type ContentRow } from '../../database/content.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';

/**
 * A child table of a table with content. Its rows are encrypted or decrypted together with the rows to which
 * they belong.
 */
export interface ContentChild {
  entity: EntityTarget<ContentRow>;
  /** Name of the child row's property that holds the parent row's id. */
  parent: string;
  /** SQL condition on the alias `row` that skips incomplete rows of the child table. */
  where?: string;
}

interface DatedRow extends ObjectLiteral {
  id: string;
  orgId: string;
  createdAt: Date;
}

/**
 * Position in a table whose content is encrypted or decrypted in batches: time and id of the last row read.
 */
export interface TableCursor {
  createdAt: string;
  id: string;
}

const PARENT_BATCH_SIZE = 200;
const CHILD_BATCH_SIZE = 1000;
/** Size in bytes of the content that one transaction converts, of at least one row. */
const MAX_CONVERTED_BYTES = 8 * 1024 * 1024;

/**
 * Reads a table with content in batches, in the order of creation. Encrypts or decrypts its rows and their
 * child rows.
 */
export class ContentTableRepository {
  readonly #entity: EntityTarget<DatedRow>;
  readonly #children: readonly ContentChild[];
  readonly #hasContent: boolean;
  readonly #where: string | null;

  /** @param where SQL condition on the alias `row` that excludes rows that cannot have content */
  constructor(
    entity: EntityTarget<ObjectLiteral>,
    children: readonly ContentChild[] = [],
    hasContent = true,
    where: string | null = null,
  ) {
    this.#entity = entity as EntityTarget<DatedRow>;
    this.#children = children;
    this.#hasContent = hasContent;
    this.#where = where;
  }

  /**
   * Returns the ids of the next batch of rows and the position of its last row. The position is null if no
   * rows are left.
   */
  async findBatch(
    { db, orgId }: OrgScope,
    after: TableCursor | null,
  ): Promise<{ ids: string[]; end: TableCursor | null }> {
    const query = db
      .repository(this.#entity)
      .createQueryBuilder('row')
      .withDeleted()
      .select(['row.id', 'row.createdAt'])
      .where('row.orgId = :orgId', { orgId })
      .orderBy('row.createdAt')
      .addOrderBy('row.id')
      .limit(PARENT_BATCH_SIZE);
    if (this.#where !== null) query.andWhere(this.#where);
    if (after) query.andWhere('(row.createdAt, row.id) > (:createdAt, :id)', { ...after });
    const rows = await query.getMany();
    const last = rows.at(-1);
    const end = last ? { createdAt: last.createdAt.toISOString(), id: last.id } : null;
    return { ids: rows.map(({ id }) => id), end };
  }

  /**
   * Encrypts or decrypts the given rows and their child rows, as `target` requires. Returns the number of
   * rows that had content.
   * @throws AppError `key_unavailable`
   */
  async convert(scope: OrgScope, ids: readonly string[], target: ContentTarget): Promise<number> {
    let converted = this.#hasContent ? await this.#convertParents(scope, ids, target) : 0;
    for (const child of this.#children) converted += await this.#convertChildren(scope, child, ids, target);
    return converted;
  }

  async #convertParents(scope: OrgScope, ids: readonly string[], target: ContentTarget): Promise<number> {
    const entity = this.#entity as unknown as EntityTarget<ContentRow>;
    const query = this.#query(scope, entity, target)
      .andWhere('row.id = ANY(:ids)', { ids })
      .orderBy('row.id');
    const { converted } = await this.#convertFound(scope, entity, query, target);
    return converted;
  }

  async #convertChildren(
    scope: OrgScope,
    { entity, parent, where }: ContentChild,
    ids: readonly string[],
    target: ContentTarget,
  ): Promise<number> {
    const { rowKey } = requireContent(entity);
    let converted = 0;
    for (let afterId: string | undefined, isMore = true; isMore;) {
      const query = this.#query(scope, entity, target)
        .andWhere(`row.${parent} = ANY(:ids)`, { ids })
        .orderBy(`row.${rowKey}`)
        .limit(CHILD_BATCH_SIZE);
      if (where !== undefined) query.andWhere(where);
      if (afterId !== undefined) query.andWhere(`row.${rowKey} > :afterId`, { afterId });
      const found = await this.#convertFound(scope, entity, query, target);
      converted += found.converted;
      afterId = found.lastKey;
      isMore = found.count === CHILD_BATCH_SIZE;
    }
    return converted;
  }

  /**
   * Converts the rows that a query finds, in transactions of limited size: a few rows may have as much content as
   * thousands of others.
   */
  async #convertFound(
    scope: OrgScope,
    entity: EntityTarget<ContentRow>,
    query: SelectQueryBuilder<ContentRow>,
    target: ContentTarget,
  ): Promise<{ converted: number; count: number; lastKey: string | undefined }> {
    const { rowKey, columns } = requireContent(entity);
    const sizes = [...columns.keys()].map(
      (property) => `coalesce(octet_length(CAST(row.${property} AS text)), 0)`,
    );
    const found = await query
      .select(`row.${rowKey}`, 'key')
      .addSelect(sizes.join(' + '), 'bytes')
      .getRawMany<{ key: string; bytes: number }>();
    let converted = 0;
    const bounds = { maxItems: CHILD_BATCH_SIZE, maxWeight: MAX_CONVERTED_BYTES };
    for (const batch of cutBatches(found, { ...bounds, weigh: ({ bytes }) => bytes })) {
      const keys = batch.map(({ key }) => key);
      converted += await inTransaction(scope, async (tx) => {
        const locked = this.#query(tx, entity, target)
          .andWhere(`row.${rowKey} = ANY(:keys)`, { keys })
          .orderBy(`row.${rowKey}`)
          .setLock('for_no_key_update');
        return convertRows(tx, entity, await locked.getMany(), target);
      });
    }
    return { converted, count: found.length, lastKey: found.at(-1)?.key };
  }

  #query({ db, orgId }: OrgScope, entity: EntityTarget<ContentRow>, target: ContentTarget) {
    const query = db
      .repository(entity)
      .createQueryBuilder('row')
      .withDeleted()
      .select(listContentColumns(entity))
      .where('row.orgId = :orgId', { orgId });
    return whereNeedsReseal(query, target);
  }
}
