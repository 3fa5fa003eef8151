import { buildHref } from '../router.ts';
import { Tabs } from '../components/page/tabs.tsx';

export function BookingTabs({ current }: { current: 'list' | 'calendar' }) {
  return (
    <Tabs
      label="Bookings"
      current={current}
      tabs={[
        { id: 'list', name: 'Bookings', href: buildHref(['bookings']) },
        { id: 'calendar', name: 'Calendar', href: buildHref(['bookings', 'calendar']) },
      ]}
    />
  );
}
