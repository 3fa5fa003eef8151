import { AppError } from '../../core/errors.ts';
import { orgRoles, type OrgRole } from '../../entities/membership.entity.ts';

/** Whether a role has at least the rights of another. */
export function hasRole(actual: OrgRole, needed: OrgRole): boolean {
  return orgRoles.indexOf(actual) <= orgRoles.indexOf(needed);
}

/** @throws AppError `forbidden` for a role with fewer rights, or none */
export function requireRole(actual: OrgRole | null, needed: OrgRole): asserts actual is OrgRole {
  if (actual === null) throw notYourWorkspace();
  if (!hasRole(actual, needed)) {
    throw new AppError('forbidden', `This needs the role ${needed}; here it is ${actual}.`);
  }
}

export function notYourWorkspace(): AppError {
  return new AppError('forbidden', 'This workspace is not one of yours.');
}
