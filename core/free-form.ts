/** Limits of free keys in an object: enough for notes of an integration, and quick to parse on each use. */
const MAX_KEYS = 64;
const MAX_BYTES = 16 * 1024;
const MAX_DEPTH = 5;

/** The limits in words, for descriptions of fields. */
export const FREE_FORM_BOUNDS = `${MAX_KEYS} keys, ${MAX_BYTES} bytes of JSON and ${MAX_DEPTH} levels`;

/**
 * Describes how free keys exceed their limits, as a message about the object's field; null if they do not.
 * @param declared the documented keys, which do not count
 */
export function describeFreeFormExcess(object: object, declared: object): string | null {
  const added = pickAddedKeys(object, declared);
  const excess = findExcess(added, 1);
  if (excess) return excess;
  if (new TextEncoder().encode(JSON.stringify(added)).length <= MAX_BYTES) return null;
  return `must have at most ${MAX_BYTES} bytes of JSON in keys that are not documented`;
}

/**
 * Copies a free-form object, truncated to one key more than allowed, like each object within it. A truncated copy is
 * refused with the same message, and later checks need not read the other keys.
 * @param declared the documented keys, which stay
 */
export function cutFreeForm(object: object, declared: object, level = 1): object {
  const added = pickAddedKeys(object, declared);
  const keys = Object.keys(added);
  const kept: Record<string, unknown> =
    keys.length > MAX_KEYS ? { ...pickDeclaredKeys(object, declared), ...added } : { ...object };
  for (const key of keys) kept[key] = cutValue(added[key], level + 1);
  return kept;
}

/** Too deep a value is refused, whatever it contains. */
function cutValue(value: unknown, level: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (level > MAX_DEPTH) return {};
  return Array.isArray(value)
    ? value.map((item) => cutValue(item, level + 1))
    : cutFreeForm(value, {}, level);
}

/** The object itself is the first level; a list is a level, too. */
function findExcess(value: unknown, level: number): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (level > MAX_DEPTH) return `must be nested at most ${MAX_DEPTH} levels deep`;
  const inner: unknown[] = Object.values(Array.isArray(value) ? value : pickAddedKeys(value, {}));
  if (!Array.isArray(value) && inner.length > MAX_KEYS)
    return `must have at most ${MAX_KEYS} keys that are not documented, and as many in each object within`;
  for (const each of inner) {
    const excess = findExcess(each, level + 1);
    if (excess) return excess;
  }
  return null;
}

/** Returns the keys of an object that are not among the `declared` ones, at most one more than it may have. */
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
