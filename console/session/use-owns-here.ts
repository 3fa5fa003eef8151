import { useSession } from './session.tsx';

/** Whether an owner has signed in with an account: no key may spend money, or decide about keys. */
export function useOwnsHere(): boolean {
  const me = useSession().me.data;
  return me?.organization?.role === 'owner' && me.session_id !== null;
}
