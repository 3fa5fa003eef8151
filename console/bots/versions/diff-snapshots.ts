import { getOwn } from '../../../browser/own-value.ts';
import { capitalize } from '../../components/text/capitalize.ts';
import type { Bot, BotVersion } from '../../client/types.ts';
import { diffLists, type ListItem } from './diff-lists.ts';
import { secretFlags, partNames, snapshotFields } from './snapshot-fields.ts';
import { diffTexts, type TextPart } from './diff-texts.ts';

export type Snapshot = Readonly<Record<string, unknown>>;

/** Difference in one field of two snapshots of a bot's configuration. */
export type Difference = { name: string } & (
  | { kind: 'value'; before: string | null; after: string | null }
  | { kind: 'text'; parts: TextPart[] }
  | { kind: 'list'; items: ItemDifference[]; unchanged: number }
  | { kind: 'group'; differences: Difference[] }
);

export interface ItemDifference extends Pick<ListItem<unknown>, 'kind' | 'position'> {
  title: string;
  differences: Difference[];
}

/**
 * Maximum number of characters in a changed text whose old and new values are shown in full. Longer texts,
 * and texts of several lines, are compared word by word.
 */
const SHORT = 60;

/** Returns a snapshot of the bot's current configuration, in the format of versions. */
export function takeSnapshot(bot: Bot): Snapshot {
  return Object.fromEntries(
    (Object.keys(snapshotFields) as (keyof typeof snapshotFields)[]).map((name) => [name, bot[name]]),
  );
}

export function diffSnapshots(before: BotVersion['snapshot'], after: BotVersion['snapshot']): Difference[] {
  const known = Object.keys(snapshotFields);
  const all = new Set([...known, ...Object.keys(before), ...Object.keys(after)]);
  return [...all].flatMap((name) =>
    diffValues(getOwn(snapshotFields, name) ?? getPartName(name), getOwn(before, name), getOwn(after, name)),
  );
}

function diffValues(name: string, before: unknown, after: unknown): Difference[] {
  if (isEqual(before, after)) return [];
  if (isList(before) && isList(after))
    return [{ name, kind: 'list', ...diffItems(before ?? [], after ?? []) }];
  if (isGroup(before) && isGroup(after)) return diffGroups(name, before ?? {}, after ?? {});
  if (areTexts(before, after))
    return [{ name, kind: 'text', parts: diffTexts(coerceText(before), coerceText(after)) }];
  return [{ name, kind: 'value', before: formatSnapshotValue(before), after: formatSnapshotValue(after) }];
}

function diffGroups(name: string, before: Snapshot, after: Snapshot): Difference[] {
  const differences = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((part) => !secretFlags.has(part))
    .flatMap((part) => diffValues(getPartName(part), getOwn(before, part), getOwn(after, part)));
  return differences.length === 0 ? [] : [{ name, kind: 'group', differences }];
}

function diffItems(before: unknown[], after: unknown[]): { items: ItemDifference[]; unchanged: number } {
  const { items, unchanged } = diffLists(before, after, getItemKey, isEqual);
  return {
    unchanged,
    items: items.map(({ kind, key, position, before: was, after: is }) => ({
      kind,
      position,
      title: getItemTitle(is ?? was) ?? key,
      differences:
        isGroup(was) && isGroup(is) && was && is ? diffGroups('', was, is).flatMap(flattenGroup) : [],
    })),
  };
}

function flattenGroup(difference: Difference): Difference[] {
  return difference.kind === 'group' ? difference.differences : [difference];
}

/** Returns the key that identifies an item of a compared list: its key, name or whole value. */
function getItemKey(item: unknown): string {
  if (!isGroup(item) || item === null || item === undefined) return String(item);
  const { key, name, category } = item;
  if (typeof key === 'string') return key;
  if (typeof name === 'string') return JSON.stringify([category ?? '', name]);
  return serializeCanonically(item);
}

function getItemTitle(item: unknown): string | null {
  if (!isGroup(item) || item === null || item === undefined) return String(item);
  const { label, name, category, days, opens, closes } = item;
  if (typeof label === 'string' && label !== '') return label;
  if (typeof name === 'string')
    return typeof category === 'string' && category !== '' ? `${name} (${category})` : name;
  if (Array.isArray(days)) return `${days.join(', ')} ${String(opens)}–${String(closes)}`;
  return null;
}

function getPartName(part: string): string {
  const words = part.replaceAll('_', ' ');
  return getOwn(partNames, part) ?? capitalize(words);
}

function isList(value: unknown): value is unknown[] | null | undefined {
  return isNothing(value) || Array.isArray(value);
}

function isGroup(value: unknown): value is Snapshot | null | undefined {
  return isNothing(value) || (typeof value === 'object' && !Array.isArray(value));
}

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Whether to compare two values word by word: both are texts or missing, and at least one is long. */
function areTexts(before: unknown, after: unknown): boolean {
  const texts = [before, after].filter((value) => !isNothing(value));
  return texts.every((value) => typeof value === 'string') && texts.some(isLong);
}

function coerceText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isLong(value: unknown): boolean {
  return typeof value === 'string' && (value.length > SHORT || value.includes('\n'));
}

/** Formats a value in a snapshot for display; null if the value is empty. */
function formatSnapshotValue(value: unknown): string | null {
  if (isNothing(value) || value === '') return null;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'string' ? value : serializeCanonically(value);
}

function isEqual(one: unknown, other: unknown): boolean {
  return serializeCanonically(one) === serializeCanonically(other);
}

/**
 * Serializes a value in a snapshot with sorted keys, so that equal values give equal text; undefined becomes
 * null.
 */
function serializeCanonically(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
