/**
 * Maximum number of names in the cache of time zones. The number of zones is smaller, but each name can be
 * written in several ways.
 */
const MAX_CACHED = 500;

/** Parts of time zone names that are not written with an initial capital followed by small letters. */
const WORDS = new Map(
  `ACT BajaNorte BajaSur CET CHAT ComodRivadavia CST6CDT DeNoronha EasterIsland EET EST EST5EDT GB GMT GMT0 HST IN LHI MET
  MST MST7MDT NSW NZ PRC PST8PDT ROC ROK SU UCT US UTC WET au es of`
    .split(/\s+/)
    .map((word) => [word.toLowerCase(), word]),
);

const canonicalNames = new Map<string, string>();

/**
 * Returns the IANA spelling of a time zone, such as `Europe/Lisbon` for `europe/lisbon`; null if the name is
 * not a time zone. Keeps aliases: ICU would return `Asia/Calcutta` for `Asia/Kolkata`.
 */
export function findTimeZone(name: string): string | null {
  // Cache the result, because creating a date format takes a tenth of a millisecond.
  const cached = canonicalNames.get(name);
  if (cached !== undefined) return cached;
  // Reject offsets such as `+02:00`, which newer versions of ICU accept but calendar programs do not.
  if (!/^[A-Za-z]/.test(name)) return null;
  let resolved: string;
  try {
    resolved = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
  if (resolved === '') return null;
  const canonicalName = resolved.toLowerCase() === name.toLowerCase() ? resolved : capitalizeName(name);
  if (canonicalNames.size >= MAX_CACHED) canonicalNames.clear();
  canonicalNames.set(name, canonicalName);
  return canonicalName;
}

/** Returns whether a text is an IANA time zone name such as `Europe/Lisbon`, in any capitalization. */
export function isTimeZone(name: string): boolean {
  return findTimeZone(name) !== null;
}

function capitalizeName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[a-z\d]+/g, (word) => WORDS.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1));
}
