import { isLoopback } from '../../core/ip-address.ts';
import type { Settings } from '../../core/settings/settings.ts';

/** New sessions of this machine in an hour while the demo page is served: enough to reload a page every 18 s. */
const LOCAL_SESSIONS_PER_HOUR = 200;

/**
 * Returns how many widget sessions an address may start in an hour; 0 for no limit. The demo page is served by
 * `npm start` without https and proxies: then a loopback address is the developer's own browser.
 */
export function sessionLimit(
  ip: string,
  { widgetSessionsPerHour, demoPage }: Pick<Settings, 'widgetSessionsPerHour' | 'demoPage'>,
): number {
  if (widgetSessionsPerHour === 0 || !demoPage || !isLoopback(ip)) return widgetSessionsPerHour;
  return Math.max(widgetSessionsPerHour, LOCAL_SESSIONS_PER_HOUR);
}
