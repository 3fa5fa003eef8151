import { Button } from '@mantine/core';
import type { LoggedRequest } from '../client/types.ts';
import { useTypedFilter } from '../state/use-typed-filter.ts';
import { usePages } from '../state/use-pages.ts';
import { goTo, buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { Badge } from '../components/badge.tsx';
import { SelectField, TextField } from '../components/fields.tsx';
import { Form } from '../components/form.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { MoreButton } from '../components/more-button.tsx';
import { Table } from '../components/table.tsx';
import { TimeText } from '../components/time-text.tsx';

const callers = [
  ['', 'All callers'],
  ['key', 'API keys'],
  ['person', 'People'],
] as const;

const outcomes = [
  ['', 'Any outcome'],
  ['succeeded', 'Succeeded'],
  ['failed', 'Failed'],
] as const;

/** Lists the requests of the workspace's API keys and people in the last seven days. */
export function RequestsTab({ filters }: { filters: Record<string, string> }) {
  const { client } = useSession();
  const pages = usePages<LoggedRequest>(client, '/api/ext/requests', filters);
  const [operation, setOperation] = useTypedFilter(filters['operation']);
  const [requestId, setRequestId] = useTypedFilter(filters['request_id']);
  const filterBy = (changed: Record<string, string>) =>
    goTo(buildHref(['team', 'requests'], { ...filters, ...changed }));
  return (
    <>
      <p>
        Requests with API keys, and those by which people changed something or were refused. They are stored
        for seven days, without their bodies.
      </p>
      <Form
        className="filters"
        role="search"
        onSubmit={() => filterBy({ operation: operation.trim(), request_id: requestId.trim() })}
      >
        <SelectField
          label="Caller"
          value={filters['caller'] ?? ''}
          options={callers}
          onChange={(caller) => filterBy({ caller })}
        />
        <SelectField
          label="Outcome"
          value={filters['outcome'] ?? ''}
          options={outcomes}
          onChange={(outcome) => filterBy({ outcome })}
        />
        <TextField
          label="Operation"
          value={operation}
          onChange={setOperation}
          placeholder="createBot"
          maxLength={100}
        />
        <TextField
          label="Request id"
          value={requestId}
          onChange={setRequestId}
          placeholder="req_…"
          maxLength={36}
        />
        <Button variant="default" type="submit">
          Search
        </Button>
        <Button variant="default" onClick={pages.reload}>
          Refresh
        </Button>
      </Form>
      <LoadedView loaded={pages}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="empty">
              {Object.keys(filters).length === 0
                ? 'No request yet. Call the API with a key, and it appears here within seconds.'
                : 'No request matches these filters.'}
            </p>
          ) : (
            <RequestTable requests={items} />
          )
        }
      </LoadedView>
      <MoreButton pages={pages} noun="request" plural="requests" />
    </>
  );
}

function RequestTable({ requests }: { requests: readonly LoggedRequest[] }) {
  return (
    <Table columns={['When', 'Operation', 'Request', 'Status', 'Took', 'Caller', 'Request id']}>
      {requests.map((request) => (
        <tr key={request.id} data-id={request.id}>
          <td>
            <TimeText at={request.created_at} />
          </td>
          <td>{request.operation}</td>
          <td className="wide">
            {request.method} {request.path}
          </td>
          <td>
            <Badge state={isSuccess(request) ? 'succeeded' : 'failed'} /> {request.status ?? 'disconnected'}
            {request.error_code !== null && ` ${request.error_code}`}
          </td>
          <td>{request.duration_ms} ms</td>
          <td>{nameCaller(request)}</td>
          <td>
            <code>{request.request_id}</code>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function isSuccess({ status }: LoggedRequest): boolean {
  return status !== null && status < 400;
}

function nameCaller({ api_key_id: keyId, api_key_name: keyName }: LoggedRequest): string {
  if (keyId === null) return 'A person in the console';
  return keyName ?? 'A deleted key';
}
