import type { KeyServiceError } from '../../adapters/keys/services/key-service.ts';
import type { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';

/** Stored failure of a workspace's key service. */
export type KnownFailure = Pick<OrgEncryption, 'serviceFailure' | 'serviceFailedAt' | 'toldFailure'>;

/** Mail to owners: the service refuses the key, has been unreachable for minutes, or works again. */
export type KeyServiceChange = 'refused' | 'silent' | 'back';

export interface KeyVerdict {
  /** State to store; null if nothing changed. */
  next: KnownFailure | null;
  news: KeyServiceChange | null;
}

/** Shorter outages are ordinary network faults and are not mailed to owners. */
const SILENT_MS = 5 * 60_000;

export const NO_FAILURE: KnownFailure = { serviceFailure: null, serviceFailedAt: null, toldFailure: null };

/** @param failure null if the service has unwrapped the key */
export function judgeKeyAnswer(known: KnownFailure, failure: KeyServiceError | null, now: Date): KeyVerdict {
  if (failure === null) {
    if (known.serviceFailedAt === null) return { next: null, news: null };
    return { next: NO_FAILURE, news: known.toldFailure === null ? null : 'back' };
  }
  const serviceFailedAt = known.serviceFailedAt ?? now;
  const failed = { serviceFailure: failure.message, serviceFailedAt };
  const isSilence = failure.failure === 'unreachable';
  const isBrief = isSilence && now.getTime() - serviceFailedAt.getTime() < SILENT_MS;
  const isTold = known.toldFailure === 'refused' || (isSilence && known.toldFailure !== null);
  if (isBrief || isTold) return { next: { ...failed, toldFailure: known.toldFailure }, news: null };
  const news = isSilence ? 'silent' : 'refused';
  return { next: { ...failed, toldFailure: news }, news };
}
