import type { DataKey } from '../../adapters/keys/data-key.ts';
import type { WorkspaceKey } from '../../entities/encryption/workspace-key.entity.ts';

export interface UnwrappedWorkspaceKey extends Pick<WorkspaceKey, 'id' | 'version' | 'root'> {
  key: Buffer;
}

/** Decrypted encryption keys of a workspace. */
export interface UnwrappedKeys {
  workspaceKeys: readonly UnwrappedWorkspaceKey[];
  dataKeys: ReadonlyMap<string, DataKey>;
  /** Data keys of this month, by the version of the workspace key under which they were created. */
  current: ReadonlyMap<number, DataKey>;
}
