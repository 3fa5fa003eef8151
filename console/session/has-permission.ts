import type { Me, Scope } from '../client/types.ts';

export type Role = 'viewer' | 'member' | 'admin';

const ranks: readonly string[] = ['viewer', 'member', 'admin', 'owner'];

export function hasPermission({ organization, scopes }: Me, scope: Scope, role: Role): boolean {
  const hasRole = ranks.indexOf(organization?.role ?? '') >= ranks.indexOf(role);
  return hasRole && (scopes === null || scopes.includes(scope) || hasWriteScope(scopes, scope));
}

/**
 * Whether an API key's scopes include the write scope for the same resource as a read scope. A write scope
 * also permits reading.
 */
function hasWriteScope(scopes: readonly string[], scope: Scope): boolean {
  return scope.endsWith(':read') && scopes.includes(scope.replace(/:read$/, ':write'));
}
