import type { Me, Scope } from '../client/types.ts';

export type Role = 'viewer' | 'member' | 'admin';

const ranks: readonly string[] = ['viewer', 'member', 'admin', 'owner'];

export function hasPermission({ organization, scopes }: Me, scope: Scope, role: Role): boolean {
  const hasRole = ranks.indexOf(organization?.role ?? '') >= ranks.indexOf(role);
  return hasRole && (scopes === null || scopes.includes(scope) || hasWriteScope(scopes, scope));
}

/** Whether the scopes include the write scope that belongs to a read scope, and thereby grants it. */
function hasWriteScope(scopes: readonly string[], scope: Scope): boolean {
  return scope.endsWith(':read') && scopes.includes(scope.replace(/:read$/, ':write'));
}
