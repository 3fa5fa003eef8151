import { Anchor, CloseButton, TextInput } from '@mantine/core';
import { useState } from 'react';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { PageTitle } from '../../components/page/page.tsx';
import { Tabs } from '../../components/page/tabs.tsx';
import { buildHref, currentRoute, goTo } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { IconConversations, IconSearch } from '../../shell/icons.ts';
import { useStore } from '../../state/use-store.ts';
import { ConversationView } from '../conversation/conversation-view.tsx';
import { ConnectionState } from './connection-state.tsx';
import { filterInbox, type Owner } from './filter-inbox.ts';
import { InboxFilterMenu } from './inbox-filter-menu.tsx';
import { InboxList } from './inbox-list.tsx';
import { NotificationMenu } from './notification-menu.tsx';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { useRowKeys } from './use-row-keys.ts';

export interface InboxPageProps {
  /** Id of the open conversation; undefined if none is open. */
  id: string | undefined;
  filters: Record<string, string>;
}

const views = [
  ['mine', 'Mine'],
  ['unassigned', 'Unassigned'],
  ['', 'All'],
] as const satisfies (readonly [Owner, string])[];

export function InboxPage({ id, filters }: InboxPageProps) {
  const { feed } = useSession();
  const { connection, entries, memberId } = useStore(feed.state);
  const [text, setText] = useState('');
  const filterBy = (owner: string | undefined) =>
    filterInbox([...entries.values()], { ...filters, owner: owner ?? '', q: text }, memberId);
  const { owner = '' } = filters;
  const shown = filterBy(owner);
  useRowKeys();
  const clear = (): void => {
    setText('');
    goTo(buildHref(['inbox']));
  };
  /**
   * Opens the conversation whose visitor has waited longest, once the user has finished with the current
   * conversation.
   */
  const openNext = (): void => {
    // The user has opened another page while the request ran.
    if (currentRoute().segments.at(-1) !== id) return;
    const others = shown.filter(({ item }) => item.id !== id && feed.state.value.entries.has(item.id));
    const at = shown.findIndex(({ item }) => item.id === id);
    const next = others[at] ?? others[0];
    if (next !== undefined)
      document.querySelector<HTMLElement>(`.inbox-row[data-id="${next.item.id}"]`)?.focus();
    goTo(buildHref(next === undefined ? ['inbox'] : ['inbox', next.item.id], filters));
  };
  return (
    <div className="inbox" data-detail={id !== undefined || undefined}>
      <header className="inbox-head">
        <PageTitle>Inbox</PageTitle>
        <ConnectionState connection={connection} />
        <NotificationMenu />
        <ShortcutSheet />
      </header>
      <section className="list-pane" aria-label="Conversations that need a person">
        <Tabs
          label="Inbox views"
          current={owner}
          tabs={views.map(([each, name]) => ({
            id: each,
            name,
            href: buildHref(id === undefined ? ['inbox'] : ['inbox', id], { ...filters, owner: each }),
            count: filterBy(each).length,
          }))}
        />
        <div className="inbox-tools" role="search">
          <TextInput
            type="search"
            aria-label="Search inbox"
            placeholder="Search inbox"
            size="xs"
            value={text}
            dir="auto"
            leftSection={<IconSearch size={16} />}
            aria-keyshortcuts="/"
            rightSection={
              text !== '' && <CloseButton size="sm" aria-label="Clear search" onClick={() => setText('')} />
            }
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <InboxFilterMenu
            filters={filters}
            onChange={(changed) => goTo(buildHref(['inbox'], { ...filters, ...changed }))}
          />
        </div>
        <InboxList entries={shown} currentId={id} filters={filters} onClear={clear} />
      </section>
      {id === undefined ? (
        <div className="detail-pane">
          <EmptyState
            icon={<IconConversations size={28} />}
            title="Select a conversation"
            action={<Anchor href={buildHref(['conversations'])}>View all conversations</Anchor>}
          >
            Choose a conversation from the list, or press J and K to move through the list.
          </EmptyState>
        </div>
      ) : (
        <ConversationView key={id} id={id} backHref={buildHref(['inbox'], filters)} onFinished={openNext} />
      )}
    </div>
  );
}
