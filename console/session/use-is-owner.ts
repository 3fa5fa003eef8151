import { useSession } from './session.tsx';

/** Whether an owner is signed in with an account: API keys may neither spend money nor manage keys. */
export function useIsOwner(): boolean {
  const me = useSession().me.data;
  return me?.organization?.role === 'owner' && me.session_id !== null;
}
