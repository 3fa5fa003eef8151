import { AppError } from '../../../core/errors/errors.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { PayerRepository } from '../../../repositories/billing/payer.repository.ts';

/**
 * Requires that the workspace pays for itself, not another workspace for it.
 * @throws AppError `conflict` if another workspace pays for this workspace
 */
export async function requirePayer(scope: OrgScope, payers: PayerRepository): Promise<void> {
  const { payerId } = await payers.get(scope);
  if (payerId !== scope.orgId)
    throw new AppError(
      'conflict',
      'This workspace shares the plan of the topmost workspace. An owner of that workspace manages billing.',
    );
}
