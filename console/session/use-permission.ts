import type { Scope } from '../client/types.ts';
import { hasPermission, type Role } from './has-permission.ts';
import { useSession } from './session.tsx';

/**
 * Returns a function that checks the user's role and scopes, to decide what the console shows. The API
 * enforces the same rules.
 */
export function usePermission(): (scope: Scope, role: Role) => boolean {
  const { data: me } = useSession().me;
  return (scope, role) => me !== undefined && hasPermission(me, scope, role);
}
