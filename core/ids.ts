import { randomBytes } from 'node:crypto';

let lastMillis = 0;
let sequence = 0;

/**
 * A UUIDv7 (RFC 9562, 5.7): sortable by creation time, and strictly increasing within one process
 * (the 12 bits of `rand_a` count up inside a millisecond).
 */
export function newId(now: number = Date.now()): string {
  if (now > lastMillis) {
    lastMillis = now;
    sequence = randomBytes(2).readUInt16BE() & 0x07ff;
  } else if (++sequence > 0x0fff) {
    lastMillis += 1;
    sequence = 0;
  }
  const bytes = randomBytes(16);
  bytes.writeUIntBE(lastMillis, 0, 6);
  bytes.writeUInt16BE(0x7000 | sequence, 6);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
