import { currentZoneNames, toCurrentZoneName } from '../../../core/current-zone-names.ts';

const earlierNames = new Map([...currentZoneNames].map(([earlier, current]) => [current, earlier]));

/** Time zones that the user can choose, including UTC. */
export const timeZones = [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(toCurrentZoneName)]),
].sort();

export const browserTimeZone = toCurrentZoneName(Intl.DateTimeFormat().resolvedOptions().timeZone);

/** Returns whether the current or the earlier name of a time zone matches a search such as `new york`. */
export function matchesZone(zone: string, search: string): boolean {
  const searchText = toSearchable(search);
  return [zone, earlierNames.get(zone) ?? ''].some((name) => toSearchable(name).includes(searchText));
}

function toSearchable(name: string): string {
  return name.trim().toLowerCase().replaceAll('_', ' ');
}
