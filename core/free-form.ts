/**
 * Limits of undocumented keys that an API caller may add to an object: enough for an integration's notes, and
 * quick to parse.
 */
const MAX_KEYS = 64;
const MAX_BYTES = 16 * 1024;
const MAX_DEPTH = 5;

/** Text that states the limits of a caller's additional keys, for descriptions of API fields. */
export const FREE_FORM_BOUNDS = `${MAX_KEYS} keys, ${MAX_BYTES} bytes of JSON and ${MAX_DEPTH} levels`;

/**
 * Describes how the caller's additional keys exceed their limits; null if the keys are within the limits.
 * @param declared object with the documented keys, which do not count
 */
export function describeFreeFormExcess(object: object, declared: object): string | null {
  const added = pickAddedKeys(object, declared);
  const excess = findExcess(added, 1);
  if (excess) return excess;
  if (new TextEncoder().encode(JSON.stringify(added)).length <= MAX_BYTES) return null;
  return `must have at most ${MAX_BYTES} bytes of JSON in undocumented keys`;
}

/**
 * Truncates an object's additional keys to one more than allowed, at each level. Validation refuses the copy
 * with the same message as the whole object, but reads fewer keys.
 * @param declared object with the documented keys, which are never removed
 */
export function cutFreeForm(object: object, declared: object, level = 1): object {
  const added = pickAddedKeys(object, declared);
  const keys = Object.keys(added);
  const shortened: Record<string, unknown> =
    keys.length > MAX_KEYS ? { ...pickDeclaredKeys(object, declared), ...added } : { ...object };
  for (const key of keys) shortened[key] = cutValue(added[key], level + 1);
  return shortened;
}

/**
 * Replaces a value below the deepest allowed level with an empty object: the API refuses such deep nesting
 * anyway.
 */
function cutValue(value: unknown, level: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (level > MAX_DEPTH) return {};
  return Array.isArray(value)
    ? value.map((item) => cutValue(item, level + 1))
    : cutFreeForm(value, {}, level);
}

/**
 * Returns why a value that a caller added exceeds the limits. The outer object is level 1, and each list or
 * object within adds a level.
 */
function findExcess(value: unknown, level: number): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (level > MAX_DEPTH) return `must be nested at most ${MAX_DEPTH} levels deep`;
  const inner: unknown[] = Object.values(Array.isArray(value) ? value : pickAddedKeys(value, {}));
  if (!Array.isArray(value) && inner.length > MAX_KEYS)
    return `must have at most ${MAX_KEYS} undocumented keys; this also applies to each nested object`;
  for (const each of inner) {
    const excess = findExcess(each, level + 1);
    if (excess) return excess;
  }
  return null;
}

/** Returns an object's keys that the API does not document, up to one more than allowed. */
function pickAddedKeys(object: object, declared: object): Record<string, unknown> {
  const added: [string, unknown][] = [];
  for (const key in object) {
    if (!Object.hasOwn(object, key) || Object.hasOwn(declared, key)) continue;
    added.push([key, (object as Record<string, unknown>)[key]]);
    if (added.length > MAX_KEYS) break;
  }
  return Object.fromEntries(added);
}

function pickDeclaredKeys(object: object, declared: object): Record<string, unknown> {
  const keys = Object.keys(declared).filter((key) => Object.hasOwn(object, key));
  return Object.fromEntries(keys.map((key) => [key, (object as Record<string, unknown>)[key]]));
}
