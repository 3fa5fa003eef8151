import { MAX_CUSTOM_FIELDS_BYTES } from '../../core/contacts/contact-details.ts';

type Fields = Record<string, unknown>;

/**
 * Merges added fields, in their order, as far as the result fits MAX_CUSTOM_FIELDS_BYTES; returns the dropped keys as well.
 * A present field is never removed: if its new value is too large, the old value stays.
 */
export function mergeFittingFields<F extends Fields>(present: F, added: F): { fields: F; dropped: string[] } {
  const fields: Fields = { ...present };
  const dropped: string[] = [];
  let bytes = Object.entries(present).reduce((sum, [key, value]) => sum + countJsonBytes(key, value), 1);
  for (const [key, value] of Object.entries(added)) {
    const former = Object.hasOwn(present, key) ? countJsonBytes(key, present[key]) : 0;
    const change = countJsonBytes(key, value) - former;
    if (change > 0 && bytes + change > MAX_CUSTOM_FIELDS_BYTES) dropped.push(key);
    else {
      fields[key] = value;
      bytes += change;
    }
  }
  return { fields: fields as F, dropped };
}

/** Bytes of `"key":value,` in JSON. */
function countJsonBytes(key: string, value: unknown): number {
  return Buffer.byteLength(JSON.stringify(key)) + Buffer.byteLength(JSON.stringify(value) ?? '') + 2;
}
