const DIGITS = '0123456789abcdefghijklmnopqrstuv';
const BITS = 130;

/** The UUID of a booking in base32hex, which Google takes as an event's id. */
export function eventIdOf(bookingId: string): string {
  const bits = BigInt(`0x${bookingId.replaceAll('-', '')}`) << 2n;
  let id = '';
  for (let shift = BITS - 5; shift >= 0; shift -= 5) id += DIGITS[Number((bits >> BigInt(shift)) & 31n)];
  return id;
}

/** The booking that such an id is of; null for any other text. */
export function bookingIdOf(eventId: string): string | null {
  if (!/^[0-9a-v]{26}$/.test(eventId)) return null;
  let bits = 0n;
  for (const digit of eventId) bits = (bits << 5n) | BigInt(DIGITS.indexOf(digit));
  const hex = (bits >> 2n).toString(16).padStart(32, '0');
  if (hex.length > 32) return null;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
