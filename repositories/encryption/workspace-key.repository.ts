import { LessThan } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { DataKeyRow, WorkspaceKey } from '../../entities/encryption/workspace-key.entity.ts';

export type NewWorkspaceKey = Pick<WorkspaceKey, 'id' | 'version' | 'root' | 'wrappedKey'>;
export type NewDataKey = Pick<
  DataKeyRow,
  'id' | 'workspaceKeyId' | 'madeVersion' | 'month' | 'wrappedKey' | 'commitment'
>;

/** All keys of a workspace, wrapped. */
export interface KeyRows {
  /** Newest first. */
  workspaceKeys: WorkspaceKey[];
  dataKeys: DataKeyRow[];
}

export class WorkspaceKeyRepository {
  async list({ db, orgId }: OrgScope): Promise<KeyRows> {
    const [workspaceKeys, dataKeys] = await Promise.all([
      db.repository(WorkspaceKey).find({ where: { orgId }, order: { version: 'DESC' } }),
      db.repository(DataKeyRow).find({ where: { orgId } }),
    ]);
    return { workspaceKeys, dataKeys };
  }

  find({ db, orgId }: OrgScope, version: number): Promise<WorkspaceKey | null> {
    return db.repository(WorkspaceKey).findOneBy({ orgId, version });
  }

  /** @returns false if the version exists */
  async insert({ db, orgId }: OrgScope, key: NewWorkspaceKey): Promise<boolean> {
    return (await insertOrIgnore(db.repository(WorkspaceKey), { ...key, orgId })) !== null;
  }

  /** Has no effect if the month has a key. */
  async insertDataKey({ db, orgId }: OrgScope, key: NewDataKey): Promise<void> {
    await insertOrIgnore(db.repository(DataKeyRow), { ...key, orgId });
  }

  /** Replaces the wrapped key, for example after a change of the root key. */
  async rewrap(
    { db, orgId }: OrgScope,
    { id, root, wrappedKey }: Pick<WorkspaceKey, 'id' | 'root' | 'wrappedKey'>,
  ): Promise<void> {
    await db.repository(WorkspaceKey).update({ id, orgId }, { root, wrappedKey });
  }

  /** Replaces the wrapped key with one that another workspace key wraps. */
  async rewrapDataKey(
    { db, orgId }: OrgScope,
    { id, workspaceKeyId, wrappedKey }: Pick<DataKeyRow, 'id' | 'workspaceKeyId' | 'wrappedKey'>,
  ): Promise<void> {
    await db.repository(DataKeyRow).update({ id, orgId }, { workspaceKeyId, wrappedKey });
  }

  async deleteAll({ db, orgId }: OrgScope): Promise<void> {
    await db.repository(WorkspaceKey).delete({ orgId });
  }

  /**
   * Deletes data keys that were created under a version older than `firstVersion`, and workspace keys older than
   * `newestVersion`.
   */
  async deleteOlder({ db, orgId }: OrgScope, firstVersion: number, newestVersion: number): Promise<void> {
    await db.repository(DataKeyRow).delete({ orgId, madeVersion: LessThan(firstVersion) });
    await db.repository(WorkspaceKey).delete({ orgId, version: LessThan(newestVersion) });
  }
}
