import { Button } from '@mantine/core';
import { useBotNames, useBots } from '../bots/use-bots.ts';
import { withQuery } from '../client/paths.ts';
import type { Contact } from '../client/types.ts';
import { ActionButton } from '../components/dialogs/action-button.tsx';
import { DataTable, type DataColumn } from '../components/lists/data-table.tsx';
import { EmptyState } from '../components/lists/empty-state.tsx';
import { FilterBar, type Filter } from '../components/lists/filter-bar.tsx';
import { ListView } from '../components/lists/list-view.tsx';
import { Page } from '../components/page/page.tsx';
import { PersonAvatar } from '../components/person-avatar.tsx';
import { RelativeTime } from '../components/text/relative-time.tsx';
import { saveFile } from '../components/save-file.ts';
import { SavedViews, SaveViewButton } from '../conversations/saved-views.tsx';
import { buildHref, goTo } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { IconContacts, IconDownload } from '../shell/icons.ts';
import { useList } from '../state/use-list.ts';
import { Tags } from './contact-facts.tsx';
import { getContactName } from './contact-name.ts';

export interface ContactsPageProps {
  /** Filters of the list of contacts, with the names of the API's query parameters. */
  filters: Record<string, string>;
}

export function ContactsPage({ filters }: ContactsPageProps) {
  const list = useList<Contact>('/api/contacts', filters);
  const bots = useBots();
  const botNames = useBotNames();
  const availableFilters: Filter[] = [
    {
      key: 'is_lead',
      name: 'Lead',
      options: [
        ['true', 'Leads'],
        ['false', 'Not leads'],
      ],
    },
    { key: 'bot_id', name: 'Bot', options: bots.map(({ id, name }) => [id, name] as const) },
    { key: 'tag', name: 'Tag', options: listTags(list.data ?? [], filters['tag']) },
  ];
  return (
    <Page
      title="Contacts"
      tools={<ExportContacts filters={filters} />}
      tabs={<SavedViews page="contacts" filters={filters} />}
    >
      <FilterBar
        search="Search name, email or phone"
        filters={availableFilters}
        values={filters}
        onChange={(changed) => goTo(buildHref(['contacts'], { ...filters, ...changed }))}
      >
        <SaveViewButton page="contacts" filters={filters} />
      </FilterBar>
      <ListView
        list={list}
        noun="contact"
        empty={<NoContacts />}
        filters={filters}
        clearHref={buildHref(['contacts'])}
      >
        {(rows) => <DataTable label="Contacts" rows={rows} columns={createColumns(botNames)} />}
      </ListView>
    </Page>
  );
}

/** Button for admins that downloads the listed contacts as a CSV file. */
function ExportContacts({ filters }: ContactsPageProps) {
  const { client } = useSession();
  if (!usePermission()('contacts:read', 'admin')) return null;
  return (
    <ActionButton
      icon={<IconDownload />}
      onAction={async () =>
        saveFile(await client.file(withQuery('/api/contacts/export', filters)), 'contacts.csv')
      }
    >
      Export contacts
    </ActionButton>
  );
}

function createColumns(botNames: ReadonlyMap<string, string>): DataColumn<Contact>[] {
  return [
    {
      name: 'Name',
      render: (contact) => (
        <span className="person-cell">
          <PersonAvatar name={contact.name ?? contact.email} size={28} />
          <span>
            <a className="cell-link" dir="auto" href={buildHref(['contacts', contact.id])}>
              {getContactName(contact)}
            </a>
            {contact.is_lead && <span className="tag">Lead</span>}
            {contact.name !== null && contact.email !== null && (
              <span className="cell-note">{contact.email}</span>
            )}
          </span>
        </span>
      ),
    },
    { name: 'Phone', render: ({ phone }) => phone ?? '–' },
    { name: 'Tags', render: ({ tags }) => (tags.length === 0 ? '–' : <Tags tags={tags} />) },
    {
      name: 'Bot',
      render: ({ bot_id: id }) => <span className="cell-cut">{botNames.get(id) ?? '–'}</span>,
    },
    { name: 'Conversations', kind: 'number', render: ({ conversation_count: count }) => count },
    { name: 'Last seen', render: ({ last_seen_at: at }) => <RelativeTime at={at} /> },
  ];
}

/** Returns the tags of the listed contacts, by which the list can be filtered. */
function listTags(contacts: readonly Contact[], chosen: string | undefined) {
  const tags = new Set([...(chosen === undefined ? [] : [chosen]), ...contacts.flatMap((each) => each.tags)]);
  return [...tags].sort().map((tag) => [tag, tag] as const);
}

function NoContacts() {
  return (
    <EmptyState
      icon={<IconContacts size={32} />}
      title="No contacts yet"
      action={
        <Button component="a" href={buildHref(['bots'])}>
          View bots
        </Button>
      }
    >
      Visitors who share their name, email or phone appear here. Turn on a bot's lead form to collect them.
    </EmptyState>
  );
}
