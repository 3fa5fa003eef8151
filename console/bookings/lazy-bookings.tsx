import { lazily } from '../ui/lazily.tsx';

/** What people see of bookings comes with a script of its own. */
export const BookingsArea = lazily(async () => (await import('./bookings-pages.tsx')).BookingsArea);
