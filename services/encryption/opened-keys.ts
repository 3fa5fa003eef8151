import type { DataKey } from '../../adapters/keys/data-key.ts';
import type { WorkspaceKey } from '../../entities/encryption/workspace-key.entity.ts';

/** An opened workspace key. */
export interface OpenWorkspaceKey extends Pick<WorkspaceKey, 'id' | 'version' | 'root'> {
  key: Buffer;
}

/** The keys of a workspace that were opened; of workspace keys those that wrap anything, the newest first. */
export interface OpenedKeys {
  workspaceKeys: readonly OpenWorkspaceKey[];
  dataKeys: ReadonlyMap<string, DataKey>;
  /** By the version under which it was made: what content is sealed with this month. */
  current: ReadonlyMap<number, DataKey>;
}
