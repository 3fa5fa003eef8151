/** Present IANA names of time zones that browsers list by a former name. */
const presentNames = new Map([
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
const formerNames = new Map([...presentNames].map(([former, present]) => [present, former]));

/** Time zones to choose from, with UTC. */
export const timeZones = [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(toPresentName)]),
].sort();

/** Time zone of the browser. */
export const browserTimeZone = toPresentName(Intl.DateTimeFormat().resolvedOptions().timeZone);

/** Returns whether a time zone matches a search, by its present or its former name, as in `new york`. */
export function matchesZone(zone: string, search: string): boolean {
  const wanted = toSearchable(search);
  return [zone, formerNames.get(zone) ?? ''].some((name) => toSearchable(name).includes(wanted));
}

function toPresentName(zone: string): string {
  return presentNames.get(zone) ?? zone;
}

function toSearchable(name: string): string {
  return name.trim().toLowerCase().replaceAll('_', ' ');
}
