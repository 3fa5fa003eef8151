import { HOUR_MS, LocalClock, MINUTE_MS } from '../../../../core/local-clock.ts';
import { normalizeText } from '../../../../core/text/normalize-text.ts';
import { findTimeZone } from '../../../../core/time-zone.ts';
import { WINDOWS_ZONES } from './windows-zones.ts';

const MAX_NAME_LENGTH = 255;

/**
 * IANA zones of other time zone names in calendars: Windows display names without a city, names of older
 * versions, and abbreviations.
 */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'international date line west': 'Etc/GMT+12',
  'midway island, samoa': 'Pacific/Pago_Pago',
  'aleutian islands': 'America/Adak',
  hawaii: 'Pacific/Honolulu',
  alaska: 'America/Anchorage',
  'baja california': 'America/Tijuana',
  arizona: 'America/Phoenix',
  'pacific time (us & canada); tijuana': 'America/Los_Angeles',
  'pacific time (us and canada); tijuana': 'America/Los_Angeles',
  saskatchewan: 'America/Regina',
  chetumal: 'America/Cancun',
  'indiana (east)': 'America/Indiana/Indianapolis',
  brasilia: 'America/Sao_Paulo',
  'city of buenos aires': 'America/Argentina/Buenos_Aires',
  'saint pierre and miquelon': 'America/Miquelon',
  salvador: 'America/Bahia',
  'mid-atlantic - old': 'Etc/GMT+2',
  'mid-atlantic standard time': 'Etc/GMT+2',
  'cabo verde is.': 'Atlantic/Cape_Verde',
  'coordinated universal time': 'Etc/UTC',
  'greenwich mean time': 'Europe/London',
  'west central africa': 'Africa/Lagos',
  'eastern europe': 'Europe/Chisinau',
  'port louis': 'Indian/Mauritius',
  'caucasus standard time': 'Asia/Yerevan',
  'armenian standard time': 'Asia/Yerevan',
  astana: 'Asia/Almaty',
  'sri jayawardenepura': 'Asia/Colombo',
  'ulaan bataar': 'Asia/Ulaanbaatar',
  chokurdakh: 'Asia/Srednekolymsk',
  'solomon is., new caledonia': 'Pacific/Guadalcanal',
  'petropavlovsk-kamchatsky - old': 'Asia/Kamchatka',
  'kamchatka standard time': 'Asia/Kamchatka',
  "nuku'alofa": 'Pacific/Tongatapu',
  'mexico standard time': 'America/Mexico_City',
  'mexico standard time 2': 'America/Chihuahua',
  z: 'Etc/UTC',
  ast: 'America/Halifax',
  pdt: 'America/Los_Angeles',
  mdt: 'America/Denver',
  cdt: 'America/Chicago',
  edt: 'America/New_York',
  bst: 'Europe/London',
  cest: 'Europe/Berlin',
  mez: 'Europe/Berlin',
  mesz: 'Europe/Berlin',
  'mitteleuropäische zeit': 'Europe/Berlin',
  'mitteleuropäische sommerzeit': 'Europe/Berlin',
  eest: 'Europe/Helsinki',
};
const BY_NAME: ReadonlyMap<string, string> = new Map([
  ...Object.entries(WINDOWS_ZONES).map(([name, zone]): [string, string] => [name.toLowerCase(), zone]),
  ...Object.entries(OTHER_NAMES),
]);
/** Folders of the IANA time zone database in which to look up a city. */
const REGIONS =
  'Europe America Asia Africa Australia Pacific Atlantic Indian Antarctica America/Argentina America/Indiana'.split(
    ' ',
  );
/** Matches the UTC offset before a display name of a Windows time zone: `(UTC-05:00) ` or `(GMT) `. */
const OFFSET_PREFIX = /^\s*\((?:UTC|GMT)\s*(?:([+-±])?\s*(\d{1,2}):?(\d{2}))?\)\s*/i;
const OFFSET_NAME = /^(?:(?:UTC|GMT)\s*)?([+-])\s?(\d{1,2}):?(\d{2})?$/i;

/** Removes quotes, spaces and a colon at the end, which programs add to the name of a time zone. */
export function cleanZoneName(text: string): string {
  return text
    .slice(0, MAX_NAME_LENGTH)
    .replaceAll(/["\\]/g, '')
    .replace(/[\s:]{1,20}$/, '')
    .trim();
}

/**
 * Returns the IANA name of a time zone written like `Europe/Berlin`, `/mozilla.org/20050126_1/Europe/Berlin`,
 * `W. Europe Standard Time` or `W. Europe`. Null for any other text.
 */
export function findZoneName(text: string): string | null {
  const name = cleanZoneName(text);
  const exact = findTimeZone(BY_NAME.get(name.toLowerCase()) ?? '');
  return exact ?? findIanaName(name) ?? findWindowsName(name);
}

/**
 * Returns the IANA name of a zone that Windows displays as `(UTC+01:00) Amsterdam, Berlin, Bern`. Prefers the
 * first city whose zone has the offset. Null if no part of the text is known.
 */
export function findDisplayedZone(text: string): string | null {
  const name = cleanZoneName(text);
  const label = name.replace(OFFSET_PREFIX, '').replace(/^Coordinated Universal Time(?=[+-])/i, 'UTC');
  const known = findWindowsName(label);
  if (known !== null) return known;
  const zones = label.split(/[,;/:]/).flatMap((place) => findCityZone(place) ?? []);
  const offset = parseZoneOffset(name);
  return zones.find((zone) => getStandardOffset(zone) === offset) ?? zones[0] ?? null;
}

/**
 * Returns the UTC offset that the name of a time zone states, in milliseconds: `GMT+0100`, or the beginning
 * of a display name.
 */
export function parseZoneOffset(text: string): number | null {
  const name = cleanZoneName(text);
  const found = OFFSET_PREFIX.exec(name) ?? OFFSET_NAME.exec(name);
  if (!found) return null;
  const [, sign, hours = '0', minutes = '0'] = found;
  const offset = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  return sign === '-' ? -offset : offset;
}

function findIanaName(text: string): string | null {
  const steps = text.split('/').filter(Boolean);
  const candidates = [text, ...[1, 2, 3].map((count) => steps.slice(-count).join('/'))];
  for (const candidate of candidates) {
    const name = findTimeZone(candidate);
    if (name !== null) return name;
  }
  return null;
}

/**
 * Finds the Windows name of a time zone, also from the forms `Eastern Daylight Time`, `Eastern Time (US &
 * Canada)`.
 */
function findWindowsName(text: string): string | null {
  // Exchange numbers its definitions of the same time zone: `W. Europe Standard Time 1`.
  const name = text
    .toLowerCase()
    .replace(' and canada)', ' & canada)')
    .replace(/(?<= time)[ _-]?\d{1,2}$/, '')
    .trim();
  const short = name.replace(/ \((?:us & canada|canada)\)$/, '');
  const standard = short.replace(/ (?:(?:daylight|summer|standard) )?time$/, '');
  for (const candidate of [name, `${standard} standard time`]) {
    const zone = findTimeZone(BY_NAME.get(candidate) ?? '');
    if (zone !== null) return zone;
  }
  return null;
}

function findCityZone(place: string): string | null {
  const bare = place.replace(/\([^)]*\)/, '').trim();
  const other = OTHER_NAMES[bare.toLowerCase()];
  if (other !== undefined) return findTimeZone(other);
  const city = normalizeText(bare, 'NFD', MAX_NAME_LENGTH)
    .replaceAll(/\p{M}/gu, '')
    .replace(/ (?:islands?|is\.)$/i, '')
    .replaceAll(/[\s_]+/g, '_');
  if (city.length < 3) return null;
  for (const region of REGIONS) {
    const zone = findTimeZone(`${region}/${city}`);
    if (zone !== null) return zone;
  }
  return null;
}

/** Returns the UTC offset of a time zone outside daylight saving time, this year. */
function getStandardOffset(zone: string): number {
  const clock = new LocalClock(zone);
  const year = new Date().getUTCFullYear();
  return Math.min(...[0, 6].map((month) => clock.getOffset(Date.UTC(year, month, 1))));
}
