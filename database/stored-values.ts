import type { ContentKey } from './content-keys.ts';

/** Column of a table whose values are encrypted. */
export interface ContentColumn {
  readonly name: string;
  /**
   * Type of the plain value. An encrypted JSON value is stored as one string, and an encrypted list as a list
   * of one text.
   */
  readonly type: 'text' | 'list' | 'json' | 'jsonb';
  readonly boundTo: string;
  readonly outside: readonly string[] | null;
}

/** Returns true if a column's value is not empty. Empty values are stored as plain text, and need no key. */
export function hasContent(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** Encrypts a column's value, and returns it in its stored form. */
export function sealValue(
  key: ContentKey,
  { type, outside }: ContentColumn,
  value: unknown,
  context: string,
): unknown {
  const sealed = key.seal(type === 'text' ? String(value) : JSON.stringify(value), context);
  if (type === 'list') return [sealed];
  if (outside === null) return sealed;
  const members = value as Record<string, unknown>;
  const plainEntries = outside
    .filter((name) => members[name] !== undefined)
    .map((name) => [name, members[name]]);
  return { ...Object.fromEntries(plainEntries), sealed };
}

/**
 * Extracts the encrypted text from a stored value that `sealValue` returned. Null if the value has another
 * form, for example that of a plain list or object.
 */
export function readSealedText({ type, outside }: ContentColumn, stored: unknown): string | null {
  if (type === 'list') return Array.isArray(stored) && stored.length === 1 ? toText(stored[0]) : null;
  if (outside === null) return toText(stored);
  if (typeof stored !== 'object' || stored === null) return null;
  const { sealed, ...plainMembers } = stored as Record<string, unknown>;
  return Object.keys(plainMembers).every((name) => outside.includes(name)) ? toText(sealed) : null;
}

function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
