import { useSession } from './session.tsx';

/**
 * Whether the user is an owner of the workspace and has signed in with an account. API keys can neither buy
 * anything nor manage keys.
 */
export function useIsOwner(): boolean {
  const me = useSession().me.data;
  return me?.organization?.role === 'owner' && me.session_id !== null;
}
