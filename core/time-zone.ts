/** Whether it is a name such as `Europe/Lisbon`, of the IANA's. */
export function isTimeZone(name: string): boolean {
  // Later versions of ICU take offsets, which no calendar does.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
