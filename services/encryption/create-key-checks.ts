import { KeyServiceRepository } from '../../repositories/encryption/key-service.repository.ts';
import { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import type { TeamNotices } from '../mail/notices/team-notices.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { KeyChecks, type KeyChecksDeps } from './key-checks.ts';

export function createKeyChecks(
  { clock, log }: ServiceDeps,
  others: Pick<KeyChecksDeps, 'keyServices' | 'contentKeys'> & { teamNotices: TeamNotices },
) {
  const { keyServices, contentKeys, teamNotices } = others;
  const rows = new KeyServiceRepository();
  const encryption = new OrgEncryptionRepository();
  const keyChecks = new KeyChecks({ rows, encryption, keyServices, contentKeys, teamNotices, clock, log });
  return { keyChecks };
}
