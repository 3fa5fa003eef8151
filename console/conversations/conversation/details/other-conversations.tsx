import type { Conversation, Page } from '../../../client/types.ts';
import { withQuery } from '../../../client/paths.ts';
import { LoadedView } from '../../../components/lists/loaded-view.tsx';
import { RelativeTime } from '../../../components/text/relative-time.tsx';
import { buildHref } from '../../../router.ts';
import { useApi } from '../../../state/use-api.ts';
import { ConversationStatus } from '../../conversation-status.tsx';

export interface OtherConversationsProps {
  contactId: string;
  currentId: string;
}

/** Lists the other conversations of the visitor, newest first. */
export function OtherConversations({ contactId, currentId }: OtherConversationsProps) {
  const conversations = useApi<Page<Conversation>>(
    withQuery('/api/conversations', { contact_id: contactId, page_size: 11 }),
  );
  return (
    <LoadedView loaded={conversations}>
      {({ items }) => <Others conversations={items.filter(({ id }) => id !== currentId)} />}
    </LoadedView>
  );
}

function Others({ conversations }: { conversations: readonly Conversation[] }) {
  if (conversations.length === 0) return <p className="hint">None</p>;
  return (
    <ul className="panel-list">
      {conversations.map(
        ({ id, title, first_question: question, status, resolved, started_at: startedAt }) => (
          <li key={id}>
            <a className="cell-link" dir="auto" href={buildHref(['conversations', id])}>
              {title ?? question ?? 'No messages'}
            </a>
            <p className="cell-note">
              <ConversationStatus status={status} resolved={resolved} /> · <RelativeTime at={startedAt} />
            </p>
          </li>
        ),
      )}
    </ul>
  );
}
