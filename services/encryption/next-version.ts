import type { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';
import type { WorkspaceKey } from '../../entities/encryption/workspace-key.entity.ts';

/** Of the workspace key that is made next; none is ever given twice, also where all keys were removed meanwhile. */
export function nextVersion(
  { sealedSinceVersion }: Pick<OrgEncryption, 'sealedSinceVersion'>,
  keys: readonly Pick<WorkspaceKey, 'version'>[],
): number {
  return Math.max(sealedSinceVersion, ...keys.map(({ version }) => version)) + 1;
}
