import { createContext, useContext } from 'react';
import { hasPermission, type Role } from '../session/has-permission.ts';
import type { Session } from '../session/session.tsx';
import type { Scope } from '../client/types.ts';

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('This part needs a session.');
  return session;
}

/**
 * Returns a function that checks the user's role and scopes, to decide what the console shows. The API
 * enforces the same rules.
 */
export function usePermission(): (scope: Scope, role: Role) => boolean {
  const { data: me } = useSession().me;
  return (scope, role) => me !== undefined && hasPermission(me, scope, role);
}
