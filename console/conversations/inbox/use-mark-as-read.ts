import { useEffect } from 'react';
import type { InboxItem } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';

/** Marks a conversation as read up to its last message, once the page is visible and focused. */
export function useMarkAsRead(item: InboxItem | undefined): void {
  const { reads } = useSession();
  const id = item?.id;
  const at = item?.last_message_at;
  useEffect(() => {
    if (id === undefined || !at) return;
    const markIfVisible = (): void => {
      if (!document.hidden && document.hasFocus()) reads.mark(id, at);
    };
    markIfVisible();
    document.addEventListener('visibilitychange', markIfVisible);
    window.addEventListener('focus', markIfVisible);
    return () => {
      document.removeEventListener('visibilitychange', markIfVisible);
      window.removeEventListener('focus', markIfVisible);
    };
  }, [id, at]);
}
