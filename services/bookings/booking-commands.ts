import {
  bookingWorkflowId,
  type BookingInput,
  type SignalCommand,
  type StartCommand,
} from '../../core/workflows/commands.ts';

interface BookingTarget {
  id: string;
  orgId: string;
  source: 'team' | 'widget' | 'flow';
}

/**
 * Signals from the API to a booking's workflow. The workflow then reads the booking's row and acts on its
 * state.
 */
export type BookingSignal = 'cancel' | 'changed' | 'reconnected';

export function createBookingStart(booking: BookingTarget): StartCommand<'booking'> {
  return { ...toBookingWorkflow(booking), action: 'start' };
}

/** Returns the command that starts a booking's workflow again after it has ended or was lost. */
export function createBookingRestart(booking: BookingTarget): StartCommand<'booking'> {
  return { ...toBookingWorkflow(booking), action: 'start', isRepeatable: true };
}

export function createBookingSignal(booking: BookingTarget, signal: BookingSignal): SignalCommand<'booking'> {
  return { ...toBookingWorkflow(booking), action: 'signal', signal, signalArgs: [] };
}

function toBookingWorkflow({ id, orgId, source }: BookingTarget) {
  return {
    workflow: 'booking' as const,
    workflowId: bookingWorkflowId(id),
    args: [{ orgId, bookingId: id }] as [BookingInput],
    summary: `Booking by ${source === 'team' ? 'the team' : `the ${source}`}`,
  };
}
