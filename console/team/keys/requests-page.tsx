import { ActionIcon, Anchor, Drawer, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey, LoggedRequest } from '../../client/types.ts';
import { DataTable, type DataColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Facts } from '../../components/facts.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { ListFoot } from '../../components/list-foot.tsx';
import { RowSkeletons } from '../../components/page-skeleton.tsx';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Status } from '../../components/status.tsx';
import { buildHref, goTo } from '../../router.ts';
import { IconList, IconRefresh } from '../../shell/icons.ts';
import { useApi } from '../../state/queries.ts';
import { useList } from '../../state/use-list.ts';
import { TeamFrame } from '../team-frame.tsx';
import type { Team } from '../team.ts';

const callers = [
  ['key', 'API keys'],
  ['person', 'People'],
] as const;

export const outcomes = [
  ['succeeded', 'Succeeded'],
  ['failed', 'Failed'],
] as const;

export interface LogPageProps {
  team: Team;
  /** Filters with the names of the API's query parameters. */
  filters: Record<string, string>;
}

/** Lists the requests of the workspace's API keys and people in the last seven days. */
export function RequestsPage({ team, filters }: LogPageProps) {
  const list = useList<LoggedRequest>('/api/ext/requests', filters);
  const { data: keys = [] } = useApi<ApiKey[]>('/api/api-keys', { isEnabled: team.isSession });
  const [opened, setOpened] = useState<LoggedRequest | null>(null);
  const filterBy = (changed: Record<string, string>) =>
    goTo(buildHref(['team', 'requests'], { ...filters, ...toParameters(changed) }));
  return (
    <TeamFrame team={team} tab="requests" tools={<RefreshButton onRefresh={list.reload} />}>
      <Text c="dimmed">
        Requests with API keys, and those with which people changed something or were refused. Kept for 7
        days, without their bodies.
      </Text>
      <FilterBar
        search="Search operation or request ID"
        values={{ ...filters, q: filters['request_id'] ?? filters['operation'] ?? '' }}
        filters={[
          { key: 'caller', name: 'Caller', options: callers },
          { key: 'outcome', name: 'Outcome', options: outcomes },
          { key: 'api_key_id', name: 'API key', options: keys.map(({ id, name }) => [id, name] as const) },
        ]}
        onChange={filterBy}
      />
      <ProblemMessage problem={list.problem} onRetry={list.reload} />
      {list.rows === undefined && list.problem === null && <RowSkeletons />}
      {list.rows?.length === 0 && (
        <NoRows isFiltered={Object.keys(filters).length > 0} title="No requests yet" tab="requests">
          Call the API with a key, and the request appears here within seconds.
        </NoRows>
      )}
      {list.rows !== undefined && list.rows.length > 0 && (
        <>
          <DataTable label="Requests" rows={list.rows} columns={createColumns(setOpened)} />
          <ListFoot list={list} noun="request" />
        </>
      )}
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        position="right"
        size={480}
        title="Request"
      >
        {opened !== null && <RequestFacts request={opened} />}
      </Drawer>
    </TeamFrame>
  );
}

/** Returns the API's parameters for a change of the filter bar: a search is for a request id or an operation. */
function toParameters({ q, ...changed }: Record<string, string>): Record<string, string> {
  if (q === undefined) return changed;
  const isId = q.startsWith('req_');
  return { ...changed, request_id: isId ? q : '', operation: isId ? '' : q };
}

export function RefreshButton({ onRefresh }: { onRefresh(): void }) {
  return (
    <Tooltip label="Refresh">
      <ActionIcon variant="default" size={36} aria-label="Refresh" onClick={onRefresh}>
        <IconRefresh />
      </ActionIcon>
    </Tooltip>
  );
}

export interface NoRowsProps {
  isFiltered: boolean;
  title: string;
  /** Segment of the page, which the link without filters opens. */
  tab: string;
  /** Sentence for a list without filters. */
  children: string;
}

/** Fills a log without rows. */
export function NoRows({ isFiltered, title, tab, children }: NoRowsProps) {
  return isFiltered ? (
    <EmptyState
      icon={<IconList size={32} />}
      title="No results"
      action={<Anchor href={buildHref(['team', tab])}>Clear filters</Anchor>}
    >
      Nothing matches your filters.
    </EmptyState>
  ) : (
    <EmptyState icon={<IconList size={32} />} title={title}>
      {children}
    </EmptyState>
  );
}

function createColumns(onOpen: (request: LoggedRequest) => void): DataColumn<LoggedRequest>[] {
  return [
    {
      name: 'Operation',
      render: (request) => (
        <>
          <UnstyledButton className="cell-link" onClick={() => onOpen(request)}>
            {request.operation}
          </UnstyledButton>
          <span className="cell-note cell-cut">
            {request.method} {request.path}
          </span>
        </>
      ),
    },
    { name: 'Status', render: (request) => <RequestStatus request={request} /> },
    { name: 'Duration', kind: 'number', render: ({ duration_ms: ms }) => `${ms} ms` },
    { name: 'Caller', render: nameCaller },
    { name: 'Time', render: ({ created_at: at }) => <RelativeTime at={at} /> },
  ];
}

function RequestStatus({ request: { status, error_code: code } }: { request: LoggedRequest }) {
  const isSuccess = status !== null && status < 400;
  return (
    <>
      <Status tone={isSuccess ? 'good' : 'bad'}>{status === null ? 'Disconnected' : String(status)}</Status>
      {code !== null && <span className="cell-note">{code}</span>}
    </>
  );
}

function nameCaller({ api_key_id: keyId, api_key_name: keyName }: LoggedRequest): string {
  if (keyId === null) return 'A person in the console';
  return keyName ?? 'Deleted key';
}

function RequestFacts({ request }: { request: LoggedRequest }) {
  return (
    <Facts
      facts={[
        ['Operation', request.operation],
        ['Request', `${request.method} ${request.path}`],
        ['Status', <RequestStatus key="status" request={request} />],
        ['Duration', `${request.duration_ms} ms`],
        ['Caller', nameCaller(request)],
        ['Time', <RelativeTime key="time" at={request.created_at} />],
        ['Request ID', <code key="id">{request.request_id}</code>],
      ]}
    />
  );
}
