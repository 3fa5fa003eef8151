/** What visitors read in place of why a workspace takes no bookings, and what its team has to do. */
export const NO_BOOKINGS_NOW =
  'No meetings can be booked here at the moment. Please contact us in another way.';
