const DIGITS = '0123456789abcdefghijklmnopqrstuv';
const BITS = 130;

/** Returns the UUID of a booking in base32hex, which Google accepts as an event id. */
export function toEventId(bookingId: string): string {
  const bits = BigInt(`0x${bookingId.replaceAll('-', '')}`) << 2n;
  let id = '';
  for (let shift = BITS - 5; shift >= 0; shift -= 5) id += DIGITS[Number((bits >> BigInt(shift)) & 31n)];
  return id;
}
