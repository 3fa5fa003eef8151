import { Anchor } from '@mantine/core';
import type { AuditEvent } from '../../client/types.ts';
import { ActionButton } from '../../components/dialogs/action-button.tsx';
import { Facts } from '../../components/lists/facts.tsx';
import { formatFullTime } from '../../components/text/format-time.ts';
import { saveFile } from '../../components/save-file.ts';
import { buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { IconDownload } from '../../shell/icons.ts';
import { useHistory } from '../../state/use-list.ts';
import { LogView, type LogPageProps } from '../keys/log-view.tsx';
import { TeamFrame } from '../team-frame.tsx';
import { toAuditCsv } from './audit-csv.ts';
import { AuditFilters } from './audit-filters.tsx';
import { createAuditColumns } from './audit-columns.tsx';
import { buildAuditQuery } from './build-audit-query.ts';
import { nameField, nameResource } from './audit-words.ts';
import { loadAllEvents } from './load-all-events.ts';
import { useResources } from './use-resources.ts';

export function AuditPage({ team, filters }: LogPageProps) {
  const { client } = useSession();
  const url = `${team.url}/audit-log`;
  const query = buildAuditQuery(filters);
  const list = useHistory<AuditEvent>(url, query, ({ id }) => id);
  const findResource = useResources(team, list.data ?? []);
  const saveCsv = async (): Promise<void> => {
    const all = await loadAllEvents(client, url, query);
    saveFile(new Blob([toAuditCsv(all)], { type: 'text/csv' }), 'audit-log.csv');
  };
  return (
    <TeamFrame
      team={team}
      tab="audit"
      tools={
        <ActionButton icon={<IconDownload />} onAction={saveCsv}>
          Export CSV
        </ActionButton>
      }
    >
      <AuditFilters team={team} filters={filters} />
      <LogView
        list={list}
        filters={filters}
        label="Audit log"
        noun="event"
        tab="audit"
        empty="Changes that people and API keys make are listed here."
        createColumns={(open) => createAuditColumns(filters, findResource, open)}
        renderDetails={(event) => <EventFacts event={event} />}
      />
    </TeamFrame>
  );
}

function EventFacts({ event }: { event: AuditEvent }) {
  const { resource_type: type, resource_id: id } = event;
  return (
    <>
      <Facts
        facts={[
          ['Time', formatFullTime(event.created_at)],
          ['Person', event.user_name ?? 'Deleted account'],
          ['Email', event.user_email],
          ['API key', event.key_id && (event.key_name ?? 'Deleted key')],
          ['Operation', event.operation],
          ['Action', event.action],
          ['Changed', event.changed_fields.map(nameField).join(', ') || null],
          ['Resource', nameResource(type)],
          ['Resource ID', id && <code key="id">{id}</code>],
          ['IP address', event.ip],
          ['Browser', event.user_agent],
          ['Request ID', <code key="request">{event.request_id}</code>],
        ]}
      />
      {type === 'bot' && id !== null && event.operation === 'updateBot' && (
        <Anchor href={buildHref(['bots', id, 'versions'])} display="block" mt="lg">
          Compare versions of the bot
        </Anchor>
      )}
    </>
  );
}
