import { createHash } from 'node:crypto';
import { RandomPool } from './random-pool.ts';

const ID_BYTES = 16;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const randomIds = new RandomPool(ID_BYTES);
let lastMillis = 0;
let sequence = 0;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * Generates a UUIDv7 (RFC 9562, 5.7), which sorts by creation time. Ids of one process always increase,
 * because the 12 bits of `rand_a` count the ids within a millisecond.
 */
export function newId(now: number = Date.now()): string {
  const bytes = randomIds.next();
  if (now > lastMillis) {
    lastMillis = now;
    sequence = bytes.readUInt16BE(6) & 0x07ff;
  } else if (++sequence > 0x0fff) {
    lastMillis += 1;
    sequence = 0;
  }
  bytes.writeUIntBE(lastMillis, 0, 6);
  bytes.writeUInt16BE(0x7000 | sequence, 6);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return insertHyphens(bytes.toString('hex'));
}

/** Derives a UUIDv8 (RFC 9562, 5.8) from a text. The same text always gives the same id. */
export function deriveId(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, ID_BYTES);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return insertHyphens(bytes.toString('hex'));
}

/** Derives a UUIDv5 (RFC 9562, 5.5) for an id from another system, unique within the workspace. */
export function deriveIdWithin(orgId: string, id: string): string {
  const namespace = Buffer.from(orgId.replaceAll('-', ''), 'hex');
  const bytes = createHash('sha1').update(namespace).update(id).digest().subarray(0, ID_BYTES);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return insertHyphens(bytes.toString('hex'));
}

/** Returns the request id, as the API shows it, that contains a UUID. */
export function toRequestId(id: string): string {
  return `req_${id.replaceAll('-', '')}`;
}

/** Returns the UUID that a request id contains. */
export function fromRequestId(requestId: string): string {
  return insertHyphens(requestId.slice('req_'.length));
}

function insertHyphens(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
