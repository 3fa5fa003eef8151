import { Anchor, Button, Drawer } from '@mantine/core';
import { useState } from 'react';
import type { AuditEvent } from '../../client/types.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatFullTime } from '../../components/format-time.ts';
import { RowSkeletons } from '../../components/page-skeleton.tsx';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { saveFile } from '../../components/save-file.ts';
import { buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { IconDownload } from '../../shell/icons.ts';
import { getProblem } from '../../state/queries.ts';
import { NoRows, type LogPageProps } from '../keys/requests-page.tsx';
import { parseStartOfDay } from '../parse-start-of-day.ts';
import { TeamFrame } from '../team-frame.tsx';
import { toAuditCsv } from './audit-csv.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { nameField, nameResource } from './audit-words.ts';
import { loadAllEvents, useAuditLog } from './use-audit-log.ts';
import { useResources } from './use-resources.ts';

export function AuditPage({ team, filters }: LogPageProps) {
  const { client } = useSession();
  const { since, ...others } = filters;
  const url = `${team.url}/audit-log`;
  const query = { ...others, since: since && parseStartOfDay(since) };
  const log = useAuditLog(url, query);
  const [opened, setOpened] = useState<AuditEvent | null>(null);
  const events = log.data?.pages.flat();
  const findResource = useResources(team, events ?? []);
  const problem = getProblem(log);
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
      <ProblemMessage problem={problem} onRetry={() => void log.refetch()} />
      {log.isPending && problem === null && <RowSkeletons />}
      {events?.length === 0 && (
        <NoRows isFiltered={Object.keys(filters).length > 0} title="No events yet" tab="audit">
          Changes that people and API keys make are listed here.
        </NoRows>
      )}
      {events !== undefined && events.length > 0 && (
        <>
          <AuditTable events={events} filters={filters} findResource={findResource} onOpen={setOpened} />
          <div className="list-foot">
            <span>{events.length} events</span>
            {log.hasNextPage && (
              <Button
                variant="default"
                size="xs"
                loading={log.isFetchingNextPage}
                onClick={() => void log.fetchNextPage()}
              >
                Show more
              </Button>
            )}
          </div>
        </>
      )}
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        position="right"
        size={480}
        title="Event"
      >
        {opened !== null && <EventFacts event={opened} />}
      </Drawer>
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
