import { cutText } from '../../core/text/cut-text.ts';
import { toStorableText } from '../../core/text/storable-text.ts';

/** Default maximum number of characters of a text in a service's response, enough for messages to people. */
const MAX_TEXT_LENGTH = 300;
/**
 * Maximum number of characters of an id in a service's response. Such an id fits into a PostgreSQL index with
 * any characters.
 */
const MAX_ID_LENGTH = 255;

export type JsonObject = Record<string, unknown>;

/** Returns a value of a service's response if it is a JSON object, an empty object if not. */
export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/**
 * Returns the beginning of a text in a service's response, without characters that PostgreSQL cannot store.
 * Empty if the value is not a string.
 */
export function readTextValue(value: unknown, maxLength = MAX_TEXT_LENGTH): string {
  return typeof value === 'string' ? toStorableText(cutText(value, maxLength)) : '';
}

/**
 * Returns an id in a service's response unchanged. Null if the value is not an id, or PostgreSQL cannot store
 * it: a shortened id would identify another object.
 */
export function readId(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > MAX_ID_LENGTH) return null;
  return toStorableText(value) === value ? value : null;
}

/** Returns a value of a service's response if it is an integer, null if not. */
export function readInteger(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}
