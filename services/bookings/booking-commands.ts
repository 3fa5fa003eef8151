import {
  bookingWorkflowId,
  type BookingInput,
  type SignalCommand,
  type StartCommand,
} from '../../core/workflows/commands.ts';

interface FollowedBooking {
  id: string;
  orgId: string;
  source: 'team' | 'widget' | 'flow';
}

/** What the API tells the workflow of a booking; it reads from the row what there is to do. */
export type BookingSignal = 'cancel' | 'changed' | 'reconnected';

export function startBooking(booking: FollowedBooking): StartCommand<'booking'> {
  return { ...target(booking), action: 'start' };
}

/** For the sweep: one that has ended, or was lost, begins again. */
export function restartBooking(booking: FollowedBooking): StartCommand<'booking'> {
  return { ...target(booking), action: 'start', isRepeatable: true };
}

export function signalBooking(booking: FollowedBooking, signal: BookingSignal): SignalCommand<'booking'> {
  return { ...target(booking), action: 'signal', signal, signalArgs: [] };
}

function target({ id, orgId, source }: FollowedBooking) {
  return {
    workflow: 'booking' as const,
    workflowId: bookingWorkflowId(id),
    args: [{ orgId, bookingId: id }] as [BookingInput],
    summary: `Booking by ${source === 'team' ? 'the team' : `the ${source}`}`,
  };
}
