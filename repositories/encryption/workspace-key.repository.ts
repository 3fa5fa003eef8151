import { LessThan } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { DataKeyRow, WorkspaceKey } from '../../entities/encryption/workspace-key.entity.ts';

export type NewWorkspaceKey = Pick<WorkspaceKey, 'id' | 'version' | 'root' | 'wrappedKey'>;
export type NewDataKey = Pick<
  DataKeyRow,
  'id' | 'workspaceKeyId' | 'madeVersion' | 'month' | 'wrappedKey' | 'commitment'
>;

/** All keys of a workspace, each encrypted (wrapped) by the key above it. */
export interface KeyRows {
  /** Versions of the workspace key, newest first. */
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

  /**
   * Inserts a new version of a workspace key.
   * @returns false if the workspace key already has this version
   */
  async insert({ db, orgId }: OrgScope, key: NewWorkspaceKey): Promise<boolean> {
    return (await insertOrIgnore(db.repository(WorkspaceKey), { ...key, orgId })) !== null;
  }

  /** Inserts a data key of a workspace. Has no effect if the workspace has a data key for the same month. */
  async insertDataKey({ db, orgId }: OrgScope, key: NewDataKey): Promise<void> {
    await insertOrIgnore(db.repository(DataKeyRow), { ...key, orgId });
  }

  /** Stores a workspace key that was wrapped by another root key. */
  async rewrap(
    { db, orgId }: OrgScope,
    { id, root, wrappedKey }: Pick<WorkspaceKey, 'id' | 'root' | 'wrappedKey'>,
  ): Promise<void> {
    await db.repository(WorkspaceKey).update({ id, orgId }, { root, wrappedKey });
  }

  /** Stores a data key that was wrapped by another workspace key. */
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
   * Deletes a workspace's data keys that were created with a workspace key older than version `firstVersion`.
   * Also deletes workspace keys older than `newestVersion`.
   */
  async deleteOlder({ db, orgId }: OrgScope, firstVersion: number, newestVersion: number): Promise<void> {
    await db.repository(DataKeyRow).delete({ orgId, madeVersion: LessThan(firstVersion) });
    await db.repository(WorkspaceKey).delete({ orgId, version: LessThan(newestVersion) });
  }
}
