/** Current IANA names of time zones that browsers list under an earlier name, by that earlier name. */
const currentNames = new Map([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
]);
const earlierNames = new Map([...currentNames].map(([earlier, current]) => [current, earlier]));

/** Time zones to choose from, with UTC. */
export const timeZones = [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(toCurrentName)]),
].sort();

export const browserTimeZone = toCurrentName(Intl.DateTimeFormat().resolvedOptions().timeZone);

/** Returns whether the current or the earlier name of a time zone matches a search such as `new york`. */
export function matchesZone(zone: string, search: string): boolean {
  const searchText = toSearchable(search);
  return [zone, earlierNames.get(zone) ?? ''].some((name) => toSearchable(name).includes(searchText));
}

function toCurrentName(zone: string): string {
  return currentNames.get(zone) ?? zone;
}

function toSearchable(name: string): string {
  return name.trim().toLowerCase().replaceAll('_', ' ');
}
