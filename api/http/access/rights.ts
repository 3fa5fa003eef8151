import { FRESH_PROOF_SECONDS } from '../../../core/accounts/fresh-proof.ts';
import { AppError, notFound } from '../../../core/errors/errors.ts';
import type { OrgRole } from '../../../entities/team/membership.entity.ts';
import type { Holder } from '../../../repositories/accounts/credential-holder.ts';
import type { Operation } from '../operation.ts';
import { notYourWorkspace, requireRole } from '../../../services/team/roles.ts';
import type { MemberContext, RequestContext, UserContext } from './principal.ts';
import { grants, type Scope } from './scopes.ts';

/** The part of the handler's context about the caller, for operations that people and API keys call. */
export type CallerRights = Omit<UserContext, keyof RequestContext> &
  Partial<Pick<MemberContext, 'defaultLanguage'>>;

/** Name of the path parameter with the id of the workspace in which an operation acts. */
export const ORG_PARAMETER = 'org_id';

/**
 * Checks that the caller may run an operation, and returns the part of the handler's context about the
 * caller.
 * @throws AppError `forbidden` if scope or role do not suffice; `not_found` if the workspace in the path does
 *   not exist
 */
export function authorize(
  { auth, scope, role: needed, decidesRole, keyAlternative }: Operation,
  holder: Holder,
): CallerRights {
  const { userId, keyId, sessionId, scopes, signedInSecondsAgo, defaultLanguage } = holder;
  const hasFreshProof = signedInSecondsAgo !== null && signedInSecondsAgo < FRESH_PROOF_SECONDS;
  const person = { userId, keyId, sessionId, hasFreshProof, scopes };
  if (keyId !== null && (auth === 'session' || auth === 'account')) {
    const refusal = 'This operation requires a signed-in person; an API key cannot call it.';
    throw new AppError('forbidden', keyAlternative ? `${refusal} ${keyAlternative}` : refusal, {
      subject: 'signed-in person',
    });
  }
  if (scope && !mayUse(holder, scope)) {
    throw new AppError('forbidden', `The key lacks the scope ${scope}.`, { subject: `scope ${scope}` });
  }
  if (auth === 'account' || auth === 'user') {
    return { ...person, orgId: holder.orgId, role: holder.role };
  }
  const { orgId, role } = resolveWorkspace(holder);
  if (needed && !decidesRole) requireRole(role, needed);
  return { ...person, orgId, role, defaultLanguage };
}

/** Returns whether the credential permits a scope. Sessions permit all: their rights depend on the role. */
export function mayUse({ keyId, scopes }: Pick<Holder, 'keyId' | 'scopes'>, scope: Scope): boolean {
  return keyId === null || grants(scopes, scope);
}

/**
 * Returns the workspace in the request's path, active or not. If the path has none, returns the credential's
 * workspace, which must be active.
 */
function resolveWorkspace({ orgId, role, isOrgActive, pathAccess }: Holder): {
  orgId: string;
  role: OrgRole;
} {
  if (pathAccess) {
    if (!pathAccess.exists) throw notFound('workspace');
    if (pathAccess.role === null) throw notYourWorkspace();
    return { orgId: pathAccess.orgId, role: pathAccess.role };
  }
  if (orgId === null || role === null)
    throw new AppError(
      'forbidden',
      'You are not a member of any workspace. Create one, or ask for an invitation.',
    );
  if (!isOrgActive)
    throw new AppError('forbidden', 'This workspace is not active; its owner can activate it.');
  return { orgId, role };
}
