import type { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';
import type { WorkspaceKey } from '../../entities/encryption/workspace-key.entity.ts';

/**
 * Returns the version number for the next workspace key. No number is used twice, even after all keys were
 * deleted.
 */
export function getNextKeyVersion(
  { sealedSinceVersion }: Pick<OrgEncryption, 'sealedSinceVersion'>,
  keys: readonly Pick<WorkspaceKey, 'version'>[],
): number {
  return Math.max(sealedSinceVersion, ...keys.map(({ version }) => version)) + 1;
}
