import { AppError } from '../../core/errors/errors.ts';

export function freshProofRequired(): AppError {
  return new AppError(
    'fresh_proof_required',
    'You signed in too long ago for this operation; sign in again, then repeat it.',
  );
}
