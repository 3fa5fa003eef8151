import { lazily } from '../ui/lazily.tsx';

/** Loads the bookings pages as a separate script. */
export const BookingsArea = lazily(async () => (await import('./bookings-pages.tsx')).BookingsArea);
