import { freshProofRequired } from '../../../services/accounts/fresh-proof.ts';
import type { Operation } from '../operation.ts';
import type { UserContext } from './principal.ts';

/**
 * Requires a recent sign-in from sessions before an operation grants lasting access: a stolen access token
 * must be useless after a few minutes. Does not apply to API keys, which have scopes.
 * @throws AppError `fresh_proof_required`
 */
export function requireFreshProof({ freshProof }: Operation, rights: object, body: unknown): void {
  const { keyId, hasFreshProof } = rights as Pick<UserContext, 'keyId' | 'hasFreshProof'>;
  if (freshProof === undefined || freshProof === 'or_in_body' || keyId !== null || hasFreshProof) return;
  if (freshProof === true || freshProof.isNeeded(body)) throw freshProofRequired();
}
