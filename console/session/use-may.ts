import type { Me, Scope } from '../client/types.ts';
import { useSession } from './session.tsx';

type Role = 'viewer' | 'member' | 'admin';

const ranks: readonly string[] = ['viewer', 'member', 'admin', 'owner'];

/** Whether to offer something: the API decides, and refuses what needs another role or scope. */
export function useMay(): (scope: Scope, role: Role) => boolean {
  const { data: me } = useSession().me;
  return (scope, role) => me !== undefined && may(me, scope, role);
}

function may({ organization, scopes }: Me, scope: Scope, role: Role): boolean {
  const isOfRole = ranks.indexOf(organization?.role ?? '') >= ranks.indexOf(role);
  return isOfRole && (scopes === null || scopes.includes(scope) || includesWriting(scopes, scope));
}

/** To write includes to read. */
function includesWriting(scopes: readonly string[], scope: Scope): boolean {
  return scope.endsWith(':read') && scopes.includes(scope.replace(/:read$/, ':write'));
}
