/** Error message for visitors. The actual reason concerns the team only. */
export const BOOKINGS_UNAVAILABLE =
  'No meetings can be booked here at the moment. Please contact us in another way.';
