import { isLoopback } from '../../core/ip-address.ts';
import type { Settings } from '../../core/settings/settings.ts';

/**
 * Minimum limit of widget sessions per hour for this machine while the demo page is served: enough to load a
 * page every 18 s.
 */
const LOCAL_SESSIONS_PER_HOUR = 200;

const REFUSAL = 'Your network address has reached its limit of new conversations per hour';

/**
 * Returns how many widget sessions an IP address may start per hour; 0 for no limit. While the demo page is
 * served, a loopback address belongs to the developer's own browser. For that address, the limit is at least
 * LOCAL_SESSIONS_PER_HOUR, and the refusal names the setting.
 */
export function sessionLimit(
  ip: string,
  { widgetSessionsPerHour, demoPage }: Pick<Settings, 'widgetSessionsPerHour' | 'demoPage'>,
): { limit: number; refusal: string } {
  if (!demoPage || !isLoopback(ip)) return { limit: widgetSessionsPerHour, refusal: REFUSAL };
  return {
    limit: widgetSessionsPerHour === 0 ? 0 : Math.max(widgetSessionsPerHour, LOCAL_SESSIONS_PER_HOUR),
    refusal: `${REFUSAL} (PARLEY_WIDGET_SESSIONS_PER_HOUR)`,
  };
}
