import { Button } from '@mantine/core';
import type { AuditEvent } from '../client/types.ts';
import { LoadedView } from '../components/loaded-view.tsx';
import { ProblemMessage } from '../components/problem-message.tsx';
import { Table } from '../components/table.tsx';
import { TimeText } from '../components/time-text.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { parseStartOfDay } from './parse-start-of-day.ts';
import { useAuditLog } from './use-audit-log.ts';
import type { AuditTabProps } from './audit-tab-props.ts';

export function AuditTab({ team, filters }: AuditTabProps) {
  const { since, ...others } = filters;
  const log = useAuditLog(`${team.url}/audit-log`, { ...others, since: since && parseStartOfDay(since) });
  return (
    <>
      <AuditFilters team={team} filters={filters} />
      <LoadedView loaded={log}>
        {({ events, hasMore }) => (
          <>
            {events.length === 0 ? (
              <p className="empty">Nothing that fits was done.</p>
            ) : (
              <AuditTable events={events} />
            )}
            <ProblemMessage problem={log.more.problem} />
            {hasMore && (
              <div className="more">
                <Button variant="default" aria-disabled={log.more.isBusy} onClick={() => log.more.run()}>
                  Show more
                </Button>
              </div>
            )}
          </>
        )}
      </LoadedView>
    </>
  );
}

function AuditTable({ events }: { events: readonly AuditEvent[] }) {
  return (
    <Table columns={['When', 'Who', 'What', 'Of what', 'Fields', 'From']}>
      {events.map((event) => (
        <tr key={event.id} data-id={event.id}>
          <td>
            <TimeText at={event.created_at} />
          </td>
          <td>
            {event.user_name ?? 'an account that is gone'}
            {event.key_id !== null && ` with the key “${event.key_name ?? '–'}”`}
          </td>
          <td>
            {event.operation}
            {event.action !== null && `: ${event.action}`}
          </td>
          <td className="wide">
            {event.resource_type} <code>{event.resource_id}</code>
          </td>
          <td className="wide">{event.changed_fields.join(', ')}</td>
          <td>{event.ip}</td>
        </tr>
      ))}
    </Table>
  );
}
