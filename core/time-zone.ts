/** Names can be written in many ways. */
const MAX_KEPT = 500;

/** Words of names that do not simply begin with a capital letter. */
const WORDS = new Map(
  `ACT BajaNorte BajaSur CET CHAT ComodRivadavia CST6CDT DeNoronha EasterIsland EET EST EST5EDT GB GMT GMT0 HST IN LHI MET
  MST MST7MDT NSW NZ PRC PST8PDT ROC ROK SU UCT US UTC WET au es of`
    .split(/\s+/)
    .map((word) => [word.toLowerCase(), word]),
);

const known = new Map<string, string>();

/**
 * The name as the IANA writes it, `Europe/Lisbon` for `europe/lisbon`; null for what is no name of a time zone. Of several
 * names of one zone each stays: ICU would have `Asia/Calcutta` for `Asia/Kolkata`.
 */
export function timeZoneNamed(name: string): string | null {
  // To make a format takes a tenth of a millisecond.
  const kept = known.get(name);
  if (kept !== undefined) return kept;
  // Later versions of ICU take offsets, which no calendar does.
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

/** Whether it is a name such as `Europe/Lisbon`, of the IANA's, however it is written. */
export function isTimeZone(name: string): boolean {
  return timeZoneNamed(name) !== null;
}

function asWritten(name: string): string {
  return name
    .toLowerCase()
    .replace(/[a-z\d]+/g, (word) => WORDS.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1));
}
