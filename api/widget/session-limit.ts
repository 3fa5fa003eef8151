import { isLoopback } from '../../core/ip-address.ts';
import type { Settings } from '../../core/settings/settings.ts';

/** New sessions of this machine in an hour while the demo page is served: enough to reload a page every 18 s. */
const LOCAL_SESSIONS_PER_HOUR = 200;

const REFUSAL = 'Your network address has reached its limit of new conversations per hour';

/**
 * Returns how many widget sessions an address may start in an hour; 0 for no limit. The demo page is served by
 * `npm start` without https and proxies: then a loopback address is the developer's own browser, and the refusal
 * names the setting.
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
