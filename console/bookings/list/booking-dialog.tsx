import { Group } from '@mantine/core';
import { path } from '../../client/paths.ts';
import type { Booking } from '../../client/types.ts';
import { useApi } from '../../state/use-api.ts';
import { useNow } from '../../state/use-now.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { ConfirmButton } from '../../components/dialogs/confirm-button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { BookingFacts } from './booking-facts.tsx';
import { REFRESH_MS } from '../use-calendar.ts';

export interface BookingDialogProps {
  id: string;
  zone: string;
  /** Called after the user has canceled the booking in this dialog. */
  onChange(): void;
  onClose(): void;
}

const RECHECK_START_MS = 15_000;

/** Dialog with the details of a booking and the button that cancels it. */
export function BookingDialog({ id, zone, onChange, onClose }: BookingDialogProps) {
  const { client } = useSession();
  const url = path`/api/bookings/${id}`;
  const booking = useApi<Booking>(url, { reloadsOnVisit: true, everyMs: () => REFRESH_MS });
  const cancelBooking = async (): Promise<void> => {
    try {
      booking.set(await client.post<Booking>(`${url}/cancel`));
      showConfirmation('Booking canceled');
    } catch (error) {
      // Load the booking again: canceling fails if the meeting has started or the booking was deleted.
      booking.reload();
      throw error;
    } finally {
      onChange();
    }
  };
  return (
    <Dialog title="Booking" onClose={onClose}>
      <LoadedView loaded={booking}>
        {(known) => (
          <>
            <BookingFacts booking={known} zone={zone} />
            <CancelBooking booking={known} onCancel={cancelBooking} />
          </>
        )}
      </LoadedView>
    </Dialog>
  );
}

function CancelBooking({ booking, onCancel }: { booking: Booking; onCancel(): Promise<void> }) {
  const now = useNow(RECHECK_START_MS);
  const mayCancel = usePermission()('bookings:write', 'member');
  if (booking.status === 'cancelled' || !mayCancel) return null;
  if (Date.parse(booking.start) <= now)
    return <p className="hint">This booking has started and can't be canceled.</p>;
  return (
    <Group>
      <ConfirmButton
        question="Cancel this booking?"
        consequence={`${
          booking.attendee_email === null
            ? 'No email is sent because the attendee has no email address.'
            : `We'll email ${booking.attendee_email}.`
        } The event is removed from your calendar, and the time can be booked again.`}
        otherwise="Keep booking"
        onConfirm={onCancel}
      >
        Cancel booking
      </ConfirmButton>
    </Group>
  );
}
