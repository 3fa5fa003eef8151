import type { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import {
  disconnectCalendarWorkflowId,
  syncCalendarWorkflowId,
  type SignalCommand,
  type StartCommand,
} from '../../../core/workflows/commands.ts';

type Followed = Pick<CalendarConnection, 'id' | 'orgId' | 'provider'>;

/** Reads busy times, and follows what owners have done with our events. */
export function syncCalendarCommand({ id, orgId, provider }: Followed): SignalCommand<'syncCalendar'> {
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

/** Gives the access up, and removes what is left of it. */
export function disconnectCalendarCommand({
  id,
  orgId,
  provider,
}: Followed): StartCommand<'disconnectCalendar'> {
  return {
    workflow: 'disconnectCalendar',
    workflowId: disconnectCalendarWorkflowId(id),
    args: [{ orgId, connectionId: id }],
    summary: `Calendar at ${provider} is given up`,
    action: 'start',
    isRepeatable: true,
  };
}
