import { useEffect, useRef } from 'react';
import { path } from '../../client/paths.ts';
import type { ConversationDetail, InboxItem } from '../../client/types.ts';
import { useStore } from '../../state/use-store.ts';
import { useApi } from '../../state/use-api.ts';
import type { Loaded } from '../../state/use-loaded.ts';
import { useMarkAsRead } from '../inbox/use-mark-as-read.ts';
import { getConversationName } from '../inbox/conversation-name.ts';
import { useSession } from '../../session/session.tsx';
import { useMessages, type Messages } from './thread/use-messages.ts';

export interface LiveConversation extends Pick<Messages, 'messages' | 'problem'> {
  detail: Loaded<ConversationDetail>;
  /** Entry of the conversation in the inbox, if the conversation is in a handoff to a person. */
  item: InboxItem | undefined;
  /** Reloads the conversation and its new messages, for example after an action. */
  refresh(): void;
}

/**
 * Poll interval in milliseconds for the conversation: changes such as ratings and contact details cause no
 * event.
 */
const DETAIL_EVERY_MS = 20_000;

export function useConversation(id: string): LiveConversation {
  const { feed } = useSession();
  const url = path`/api/conversations/${id}`;
  const item = useStore(feed.state).entries.get(id)?.item;
  useMarkAsRead(item);
  const detail = useApi<ConversationDetail>(url, { reloadsOnVisit: true, everyMs: () => DETAIL_EVERY_MS });
  const { messages, problem, readNewer } = useMessages(url, detail.data?.messages);
  const reloadConversation = (): void => {
    detail.reload();
    readNewer();
  };
  const latest = useRef(reloadConversation);
  latest.current = reloadConversation;
  useEffect(
    () =>
      feed.onEvent((event) => {
        if (event.item.id === id) latest.current();
      }),
    [feed, id],
  );
  const isRenamed = item && detail.data && getConversationName(item) !== getConversationName(detail.data);
  useEffect(() => {
    if (isRenamed) feed.reload();
  }, [feed, isRenamed, detail.data]);
  return { detail, messages, item, problem, refresh: reloadConversation };
}
