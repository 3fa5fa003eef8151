import { useStore } from '../hooks/store.ts';
import { ConversationView } from '../conversation/conversation-view.tsx';
import { goTo, hrefOf } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { SelectField } from '../ui/fields.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { BotFilter } from '../bots/bot-filter.tsx';
import { ConnectionState } from './connection-state.tsx';
import { filterInbox } from './filter-inbox.ts';
import { InboxRow } from './inbox-row.tsx';

export interface InboxPageProps {
  /** The conversation that is open. */
  id: string | undefined;
  filters: Record<string, string>;
}

const owners = [
  ['', 'Everybody’s'],
  ['mine', 'Mine'],
  ['unassigned', 'Unassigned'],
] as const;

const states = [
  ['', 'Any state'],
  ['waiting', 'Waiting'],
  ['human', 'With a person'],
  ['present', 'Visitor is there'],
] as const;

export function InboxPage({ id, filters }: InboxPageProps) {
  const { feed } = useSession();
  const { connection, problem, entries, total, memberId } = useStore(feed.state);
  const shown = filterInbox([...entries.values()], filters, memberId);
  const filterBy = (name: string, value: string) => goTo(hrefOf(['inbox'], { ...filters, [name]: value }));
  return (
    <Page title="Inbox" tools={<ConnectionState connection={connection} />}>
      <div class={id === undefined ? 'split' : 'split has-detail'}>
        <section class="list-pane" aria-label="Conversations that need a person">
          <div class="filters">
            <SelectField
              label="Whose"
              value={filters['owner'] ?? ''}
              options={owners}
              onChange={(value) => filterBy('owner', value)}
            />
            <SelectField
              label="State"
              value={filters['state'] ?? ''}
              options={states}
              onChange={(value) => filterBy('state', value)}
            />
            <BotFilter value={filters['bot'] ?? ''} onChange={(value) => filterBy('bot', value)} />
          </div>
          <ProblemMessage problem={connection === 'live' || connection === 'refused' ? problem : null} />
          {shown.length === 0 && connection === 'live' && (
            <p class="empty">
              {entries.size === 0
                ? 'Nobody waits. Visitors who ask for a person appear here at once.'
                : 'Nothing in the inbox fits these filters.'}
            </p>
          )}
          <ul class="rows">
            {shown.map((entry) => (
              <InboxRow
                key={entry.item.id}
                entry={entry}
                href={hrefOf(['inbox', entry.item.id], filters)}
                isCurrent={entry.item.id === id}
                isMine={memberId !== null && entry.item.assigned_to_id === memberId}
              />
            ))}
          </ul>
          {total > entries.size && (
            <p class="hint">
              The {entries.size} that wait longest are shown, of {total}.
            </p>
          )}
        </section>
        {id === undefined ? (
          <p class="empty detail-pane">Choose a conversation.</p>
        ) : (
          <div class="detail-pane">
            <ConversationView key={id} id={id} backHref={hrefOf(['inbox'], filters)} />
          </div>
        )}
      </div>
    </Page>
  );
}
