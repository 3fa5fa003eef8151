import type { KeyServiceError } from '../../adapters/keys/services/key-service.ts';
import type { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';

/** Failure of a workspace's key service as stored in the database. */
export type KnownFailure = Pick<OrgEncryption, 'serviceFailure' | 'serviceFailedAt' | 'notifiedFailure'>;

/**
 * Occasion for an email to owners about their key service: it refuses the key, has been unreachable for
 * minutes, or works again.
 */
export type KeyServiceChange = 'refused' | 'silent' | 'back';

export interface KeyServiceTransition {
  /** Failure of the key service to store in the database; null if nothing has changed. */
  next: KnownFailure | null;
  change: KeyServiceChange | null;
}

/**
 * Milliseconds for which a key service must be unreachable before its owners are informed by email. Shorter
 * periods are ordinary network faults.
 */
const SILENT_MS = 5 * 60_000;

export const NO_FAILURE: KnownFailure = {
  serviceFailure: null,
  serviceFailedAt: null,
  notifiedFailure: null,
};

/**
 * Decides which failure to store and which email to send after a call to a workspace's key service.
 * @param failure error of the key service; null if the service has unwrapped the key
 */
export function computeKeyServiceTransition(
  stored: KnownFailure,
  failure: KeyServiceError | null,
  now: Date,
): KeyServiceTransition {
  if (failure === null) {
    if (stored.serviceFailedAt === null) return { next: null, change: null };
    return { next: NO_FAILURE, change: stored.notifiedFailure === null ? null : 'back' };
  }
  const serviceFailedAt = stored.serviceFailedAt ?? now;
  const failed = { serviceFailure: failure.message, serviceFailedAt };
  const isUnreachable = failure.failure === 'unreachable';
  const isBrief = isUnreachable && now.getTime() - serviceFailedAt.getTime() < SILENT_MS;
  const isNotified =
    stored.notifiedFailure === 'refused' || (isUnreachable && stored.notifiedFailure !== null);
  if (isBrief || isNotified)
    return { next: { ...failed, notifiedFailure: stored.notifiedFailure }, change: null };
  const change = isUnreachable ? 'silent' : 'refused';
  return { next: { ...failed, notifiedFailure: change }, change };
}
