import type { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import {
  disconnectCalendarWorkflowId,
  syncCalendarWorkflowId,
  type SignalCommand,
  type StartCommand,
} from '../../../core/workflows/commands.ts';

type CalendarTarget = Pick<CalendarConnection, 'id' | 'orgId' | 'provider'>;

/**
 * Returns the command that starts or signals the sync of a calendar. The sync reads busy times, and applies
 * changes that calendar owners made to the events of bookings.
 */
export function createSyncCommand({ id, orgId, provider }: CalendarTarget): SignalCommand<'syncCalendar'> {
  return {
    workflow: 'syncCalendar',
    workflowId: syncCalendarWorkflowId(id),
    args: [{ orgId, connectionId: id }],
    summary: `Calendar at ${provider}`,
    action: 'signal',
    signal: 'again',
    signalArgs: [],
  };
}

/** Returns the command that revokes the access to a calendar account and deletes the connection. */
export function createDisconnectCommand({
  id,
  orgId,
  provider,
}: CalendarTarget): StartCommand<'disconnectCalendar'> {
  return {
    workflow: 'disconnectCalendar',
    workflowId: disconnectCalendarWorkflowId(id),
    args: [{ orgId, connectionId: id }],
    summary: `Disconnect the calendar at ${provider}`,
    action: 'start',
    isRepeatable: true,
  };
}
