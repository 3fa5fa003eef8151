import type { KeyServiceError } from '../../adapters/keys/services/key-service.ts';
import type { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';

/** What is known of a workspace's key service. */
export type KnownFailure = Pick<OrgEncryption, 'serviceFailure' | 'serviceFailedAt' | 'toldFailure'>;

/** What owners are mailed: that the key is refused, that its service has been silent for a while, or that all is well again. */
export type KeyNews = 'refused' | 'silent' | 'back';

export interface KeyVerdict {
  /** Null where nothing is new. */
  next: KnownFailure | null;
  news: KeyNews | null;
}

/** Silence that is shorter is a matter of networks, and nobody has to know. */
const SILENT_MS = 5 * 60_000;

export const NO_FAILURE: KnownFailure = { serviceFailure: null, serviceFailedAt: null, toldFailure: null };

/** @param failure null where the service has opened the key */
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
