import type { ConversationRead, Page } from '../../client/types.ts';
import { withQuery } from '../../client/paths.ts';
import { useLoad } from '../../state/use-load.ts';
import { buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { Badge } from '../../components/badge.tsx';
import { LoadedView } from '../../components/loaded-view.tsx';
import { TimeText } from '../../components/time-text.tsx';

export interface OtherConversationsProps {
  contactId: string;
  currentId: string;
}

export function OtherConversations({ contactId, currentId }: OtherConversationsProps) {
  const { client } = useSession();
  const url = withQuery('/api/conversations', { contact_id: contactId, page_size: 11 });
  const found = useLoad((signal) => client.get<Page<ConversationRead>>(url, signal), [client, url]);
  return (
    <section className="panel-part">
      <h3>Other conversations</h3>
      <LoadedView loaded={found}>
        {({ items }) => {
          const others = items.filter(({ id }) => id !== currentId);
          if (others.length === 0) return <p className="hint">There are none.</p>;
          return (
            <ul className="plain-list">
              {others.map(({ id, title, first_question: question, status, started_at: startedAt }) => (
                <li key={id}>
                  <a className="row-name" dir="auto" href={buildHref(['conversations', id])}>
                    {title ?? question ?? <TimeText at={startedAt} />}
                  </a>{' '}
                  <Badge state={status} />
                </li>
              ))}
            </ul>
          );
        }}
      </LoadedView>
    </section>
  );
}
