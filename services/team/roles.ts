import { AppError } from '../../core/errors/errors.ts';
import { orgRoles, type OrgRole } from '../../entities/team/membership.entity.ts';

/**
 * Returns true if a role in a workspace has at least the rights of another role. False if the role is null.
 */
export function hasRole(actual: OrgRole | null, needed: OrgRole): boolean {
  return actual !== null && orgRoles.indexOf(actual) <= orgRoles.indexOf(needed);
}

/** @throws AppError `forbidden` if the role in the workspace has fewer rights than needed, or is null */
export function requireRole(actual: OrgRole | null, needed: OrgRole): asserts actual is OrgRole {
  if (actual === null) throw notYourWorkspace();
  if (!hasRole(actual, needed)) {
    throw new AppError('forbidden', `This requires the role ${needed}; your role here is ${actual}.`, {
      subject: `role ${needed}`,
    });
  }
}

/**
 * Forbids API keys from managing owners and admins: a leaked key must not create or remove an owner
 * or admin.
 * @throws AppError `forbidden` for an API key, if `role` is owner or admin
 */
export function requireSignedInFor({ keyId }: { keyId: string | null }, role: OrgRole, action: string): void {
  if (keyId !== null && hasRole(role, 'admin'))
    throw new AppError('forbidden', `Only a signed-in user can ${action}; an API key cannot.`, {
      subject: 'signed-in person',
    });
}

export function notYourWorkspace(): AppError {
  return new AppError('forbidden', 'You are not a member of this workspace.');
}
