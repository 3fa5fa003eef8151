/** Message for visitors in place of the reason, which only concerns the team. */
export const NO_BOOKINGS_NOW =
  'No meetings can be booked here at the moment. Please contact us in another way.';
