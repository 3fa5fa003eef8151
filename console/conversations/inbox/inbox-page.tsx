import { ConversationView } from '../conversation/conversation-view.tsx';
import { useStore } from '../../state/use-store.ts';
import { goTo, buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { Page } from '../../components/page.tsx';
import { ConnectionState } from './connection-state.tsx';
import { InboxFilters } from './inbox-filters.tsx';
import { InboxList } from './inbox-list.tsx';

export interface InboxPageProps {
  /** Id of the open conversation. */
  id: string | undefined;
  filters: Record<string, string>;
}

export function InboxPage({ id, filters }: InboxPageProps) {
  const { feed } = useSession();
  const { connection } = useStore(feed.state);
  return (
    <Page title="Inbox" tools={<ConnectionState connection={connection} />}>
      <div className={id === undefined ? 'split' : 'split has-detail'}>
        <section className="list-pane" aria-label="Conversations that need a person">
          <InboxFilters
            filters={filters}
            onChange={(changed) => goTo(buildHref(['inbox'], { ...filters, ...changed }))}
          />
          <InboxList currentId={id} filters={filters} />
        </section>
        <div className="detail-pane">
          {id === undefined ? (
            <p className="empty">Choose a conversation.</p>
          ) : (
            <ConversationView key={id} id={id} backHref={buildHref(['inbox'], filters)} />
          )}
        </div>
      </div>
    </Page>
  );
}
