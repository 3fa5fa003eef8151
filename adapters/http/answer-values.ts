import { cutText } from '../../core/text/cut-text.ts';
import { storableText } from '../../core/text/storable-text.ts';

/** Enough for any message that people read. */
const MAX_TEXT_LENGTH = 300;
/** Fits into an index of PostgreSQL, whatever the characters are. */
const MAX_ID_LENGTH = 255;

export type JsonObject = Record<string, unknown>;

/** Returns an empty object for any other value. */
export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** Returns the beginning of a text, without what PostgreSQL cannot store; empty for any other value. */
export function readText(value: unknown, maxLength = MAX_TEXT_LENGTH): string {
  return typeof value === 'string' ? storableText(cutText(value, maxLength)) : '';
}

/** Returns null for a value that is no id, or that cannot be stored: a changed id would be another one. */
export function readId(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > MAX_ID_LENGTH) return null;
  return storableText(value) === value ? value : null;
}

/** Returns null for any other value. */
export function readInteger(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}
