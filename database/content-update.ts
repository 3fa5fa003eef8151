import type { EntityTarget, ObjectLiteral, QueryDeepPartialEntity } from 'typeorm';
import { getContentKeys } from './content-keys.ts';
import { decryptRows, sealRowWith, type Content, type ContentRow } from './content.ts';
import { inTransaction, type OrgScope } from './org-scope.ts';

const IS_ROW = 'id = :id AND org_id = :orgId';

/**
 * Changes columns of a row that has content to encrypt. All content of a row has the same data key. If the
 * workspace's current key differs, all content of the row is encrypted again.
 * @returns false if the row does not exist
 * @throws AppError `key_unavailable`
 */
export async function updateContent<T extends ObjectLiteral>(
  scope: OrgScope,
  entity: EntityTarget<T>,
  content: Content,
  id: string,
  changes: ObjectLiteral,
): Promise<boolean> {
  const key = await getContentKeys(scope.db.dataSource).getCurrentKey(scope.orgId);
  const sealed = sealRowWith<ObjectLiteral>(content, key, { ...changes, id });
  const whereKeyIsCurrent = `${IS_ROW} AND key_id ${key === null ? 'IS NULL' : '= :keyId'}`;
  if (await updateRow(scope, entity, { where: whereKeyIsCurrent, id, changes: sealed })) return true;
  return inTransaction(scope, async (tx) => {
    const stored = await tx.db
      .repository(entity)
      .createQueryBuilder('row')
      .where(`row.id = :id AND row.org_id = :orgId`, { id, orgId: tx.orgId })
      .setLock('for_no_key_update')
      .getOne();
    if (!stored) return false;
    const [row] = await decryptRows<ContentRow>(tx.db, entity, [stored as unknown as ContentRow]);
    const current = [...content.columns.keys()].map((property) => [property, row![property] as unknown]);
    const merged = { ...Object.fromEntries(current), ...changes, id };
    return updateRow(tx, entity, {
      where: IS_ROW,
      id,
      changes: sealRowWith<ObjectLiteral>(content, key, merged),
    });
  });
}

async function updateRow<T extends ObjectLiteral>(
  { db, orgId }: OrgScope,
  entity: EntityTarget<T>,
  { where, id, changes }: { where: string; id: string; changes: ObjectLiteral & { keyId: string | null } },
): Promise<boolean> {
  const { id: _, ...columns }: ObjectLiteral = changes;
  const result = await db
    .repository(entity)
    .createQueryBuilder()
    .update()
    .set(columns as QueryDeepPartialEntity<T>)
    .where(where, { id, orgId, keyId: changes.keyId })
    .execute();
  return result.affected === 1;
}
