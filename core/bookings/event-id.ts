const DIGITS = '0123456789abcdefghijklmnopqrstuv';
const BITS = 130;

/** Converts the UUID of a booking to base32hex, the format of event ids at Google. */
export function toEventId(bookingId: string): string {
  const bits = BigInt(`0x${bookingId.replaceAll('-', '')}`) << 2n;
  let id = '';
  for (let shift = BITS - 5; shift >= 0; shift -= 5) id += DIGITS[Number((bits >> BigInt(shift)) & 31n)];
  return id;
}
