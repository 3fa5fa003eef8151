import { freshProofRequired } from '../../../services/accounts/fresh-proof.ts';
import type { Operation } from '../operation.ts';
import type { UserContext } from './principal.ts';

/**
 * Refuses what gives lasting access to a session that began too long ago: an access token that was stolen is good for no
 * more than its own few minutes. Keys have their scopes instead.
 * @throws AppError `fresh_proof_required`
 */
export function requireFreshProof({ freshProof }: Operation, rights: object, body: unknown): void {
  const { keyId, isProven } = rights as Pick<UserContext, 'keyId' | 'isProven'>;
  if (freshProof === undefined || freshProof === 'or_shown' || keyId !== null || isProven) return;
  if (freshProof === true || freshProof.isNeeded(body)) throw freshProofRequired();
}
