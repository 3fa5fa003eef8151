import { Text, UnstyledButton } from '@mantine/core';
import type { ApiKey, LoggedRequest } from '../../client/types.ts';
import type { DataColumn } from '../../components/lists/data-table.tsx';
import { Facts } from '../../components/lists/facts.tsx';
import { FilterBar } from '../../components/lists/filter-bar.tsx';
import { RefreshButton } from '../../components/dialogs/refresh-button.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { Status } from '../../components/lists/status.tsx';
import { buildHref, goTo } from '../../router.ts';
import { useApi } from '../../state/use-api.ts';
import { useList } from '../../state/use-list.ts';
import { TeamFrame } from '../team-frame.tsx';
import { LogView, outcomes, type LogPageProps } from './log-view.tsx';

const callers = [
  ['key', 'API keys'],
  ['person', 'People'],
] as const;

/** Lists the requests of the workspace's API keys and people in the last seven days. */
export function RequestsPage({ team, filters }: LogPageProps) {
  const list = useList<LoggedRequest>('/api/ext/requests', filters);
  const { data: keys = [] } = useApi<ApiKey[]>(team.isSession ? '/api/api-keys' : null);
  const filterBy = (changed: Record<string, string>) =>
    goTo(buildHref(['team', 'requests'], { ...filters, ...toParameters(changed) }));
  return (
    <TeamFrame team={team} tab="requests" tools={<RefreshButton onRefresh={list.reload} />}>
      <Text c="dimmed">
        Lists all requests that use API keys. Requests from people are listed only if they changed something
        or were denied. Entries are kept for 7 days, without the bodies of requests and responses. An asterisk
        replaces a field name that is unknown to the API.
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
      <LogView
        list={list}
        filters={filters}
        label="Requests"
        noun="request"
        tab="requests"
        empty="Call the API with a key, and the request appears here within seconds."
        createColumns={createColumns}
        renderDetails={(request) => <RequestFacts request={request} />}
      />
    </TeamFrame>
  );
}

/**
 * Returns the API's query parameters for a change of the request log's filters. The search text is a request
 * id if it starts with `req_`, otherwise the name of an operation.
 */
function toParameters({ q, ...changed }: Record<string, string>): Record<string, string> {
  if (q === undefined) return changed;
  const isId = q.startsWith('req_');
  return { ...changed, request_id: isId ? q : '', operation: isId ? '' : q };
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

function RequestStatus({
  request: { status, error_code: code, error_subject: subject },
}: {
  request: LoggedRequest;
}) {
  const isSuccess = status !== null && status < 400;
  return (
    <>
      <Status tone={isSuccess ? 'good' : 'bad'}>{status === null ? 'Disconnected' : String(status)}</Status>
      {code !== null && <span className="cell-note">{code}</span>}
      {subject !== null && <span className="cell-note cell-cut">{subject}</span>}
    </>
  );
}

function nameCaller({ api_key_id: keyId, api_key_name: keyName }: LoggedRequest): string {
  if (keyId === null) return 'A person in the console';
  return keyName ?? 'Deleted key';
}

/** Explains the missing status of a logged request, and an asterisk in the names of wrong fields. */
function describeStatus({ status, error_subject: subject }: LoggedRequest): (readonly [string, string])[] {
  if (status === null) return [['Meaning', 'The caller closed the connection before Parley responded.']];
  if (!subject?.includes('*')) return [];
  return [
    ['Meaning', '* replaces a field name that is unknown to the API. The log does not store that name.'],
  ];
}

function RequestFacts({ request }: { request: LoggedRequest }) {
  return (
    <Facts
      facts={[
        ['Operation', request.operation],
        ['Request', `${request.method} ${request.path}`],
        ['Status', <RequestStatus key="status" request={request} />],
        ...describeStatus(request),
        ['Duration', `${request.duration_ms} ms`],
        ['Caller', nameCaller(request)],
        ['Time', <RelativeTime key="time" at={request.created_at} />],
        ['Request ID', <code key="id">{request.request_id}</code>],
      ]}
    />
  );
}
