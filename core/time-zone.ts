/** Names have several spellings. */
const MAX_KEPT = 500;

/** Words of names with another capitalization. */
const WORDS = new Map(
  `ACT BajaNorte BajaSur CET CHAT ComodRivadavia CST6CDT DeNoronha EasterIsland EET EST EST5EDT GB GMT GMT0 HST IN LHI MET
  MST MST7MDT NSW NZ PRC PST8PDT ROC ROK SU UCT US UTC WET au es of`
    .split(/\s+/)
    .map((word) => [word.toLowerCase(), word]),
);

const known = new Map<string, string>();

/**
 * Returns the IANA spelling, `Europe/Lisbon` for `europe/lisbon`; null if it names no time zone. Aliases stay: ICU
 * would convert `Asia/Kolkata` to `Asia/Calcutta`.
 */
export function timeZoneNamed(name: string): string | null {
  // Creating a format takes a tenth of a millisecond.
  const kept = known.get(name);
  if (kept !== undefined) return kept;
  // Later versions of ICU accept offsets, which no calendar does.
  if (!/^[A-Za-z]/.test(name)) return null;
  let resolved: string;
  try {
    resolved = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
  if (resolved === '') return null;
  const written = resolved.toLowerCase() === name.toLowerCase() ? resolved : asWritten(name);
  if (known.size >= MAX_KEPT) known.clear();
  known.set(name, written);
  return written;
}

/** Returns whether it is an IANA name such as `Europe/Lisbon`, in any spelling. */
export function isTimeZone(name: string): boolean {
  return timeZoneNamed(name) !== null;
}

function asWritten(name: string): string {
  return name
    .toLowerCase()
    .replace(/[a-z\d]+/g, (word) => WORDS.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1));
}
