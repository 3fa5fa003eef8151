import { lazyComponent } from '../ui/lazy-component.tsx';

/** Loads the bookings pages as a separate script. */
export const BookingsArea = lazyComponent(async () => (await import('./bookings-pages.tsx')).BookingsArea);
