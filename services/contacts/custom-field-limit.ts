import { MAX_CUSTOM_FIELDS_BYTES } from '../../core/contacts/contact-details.ts';

type Fields = Record<string, unknown>;

/**
 * Merges custom fields of a contact up to MAX_CUSTOM_FIELDS_BYTES, and returns the keys for which no space
 * was left. Existing fields are never removed: if a new value is too large, the old value stays.
 */
export function mergeFittingFields<F extends Fields>(current: F, added: F): { fields: F; dropped: string[] } {
  const fields: Fields = { ...current };
  const dropped: string[] = [];
  let bytes = Object.entries(current).reduce((sum, [key, value]) => sum + countJsonBytes(key, value), 1);
  for (const [key, value] of Object.entries(added)) {
    const currentBytes = Object.hasOwn(current, key) ? countJsonBytes(key, current[key]) : 0;
    const change = countJsonBytes(key, value) - currentBytes;
    if (change > 0 && bytes + change > MAX_CUSTOM_FIELDS_BYTES) dropped.push(key);
    else {
      fields[key] = value;
      bytes += change;
    }
  }
  return { fields: fields as F, dropped };
}

/** Returns the number of bytes that the JSON `"key":value,` of a custom field takes. */
function countJsonBytes(key: string, value: unknown): number {
  return Buffer.byteLength(JSON.stringify(key)) + Buffer.byteLength(JSON.stringify(value) ?? '') + 2;
}
