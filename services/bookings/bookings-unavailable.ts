/** Error message for visitors when no meeting can be booked. The actual reason concerns the team only. */
export const BOOKINGS_UNAVAILABLE =
  'No meetings can be booked here at the moment. Please contact us in another way.';
