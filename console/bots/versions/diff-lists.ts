/** Difference in one item of two compared lists. The same item in both lists is found by its key. */
export interface ListItem<T> {
  kind: 'added' | 'removed' | 'changed' | 'moved' | 'changed and moved';
  key: string;
  /** Item in the old list; null if the item was added. */
  before: T | null;
  /** Item in the new list; null if the item was removed. */
  after: T | null;
  /** Position of the item in the new list, from 1; of a removed item, in the old list. */
  position: number;
}

export interface ListDiff<T> {
  /** Changed items in the order of the new list. A removed item is at its position in the old list. */
  items: ListItem<T>[];
  /** Number of items without a difference between the lists. */
  unchanged: number;
}

/** Compares two lists, whose items are matched by key. Reports as few items as possible as moved. */
export function diffLists<T>(
  before: readonly T[],
  after: readonly T[],
  getKey: (item: T) => string,
  isSame: (one: T, other: T) => boolean,
): ListDiff<T> {
  const old = indexByKey(before, getKey);
  const now = indexByKey(after, getKey);
  const positions = new Map([...old.keys()].map((key, position) => [key, position]));
  const common = [...now.keys()].filter((key) => old.has(key));
  const unmovedKeys = new Set(findLongestIncrease(common, (key) => positions.get(key) ?? 0));
  const items: ListItem<T>[] = [];
  let unchanged = 0;
  for (const [index, [key, item]] of [...now].entries()) {
    const position = index + 1;
    const was = old.get(key);
    if (was === undefined) {
      items.push({ kind: 'added', key, before: null, after: item, position });
      continue;
    }
    const kind = toDifferenceKind(!isSame(was, item), !unmovedKeys.has(key));
    if (kind === null) unchanged += 1;
    else items.push({ kind, key, before: was, after: item, position });
  }
  for (const [key, item] of old) {
    if (now.has(key)) continue;
    const position = 1 + (positions.get(key) ?? 0);
    const at = items.findIndex((each) => each.position > position);
    items.splice(at < 0 ? items.length : at, 0, {
      kind: 'removed',
      key,
      before: item,
      after: null,
      position,
    });
  }
  return { items, unchanged };
}

function toDifferenceKind(isChanged: boolean, isMoved: boolean): ListItem<unknown>['kind'] | null {
  if (isChanged) return isMoved ? 'changed and moved' : 'changed';
  return isMoved ? 'moved' : null;
}

/** Maps keys to list items. If several items have the same key, appends a number to make the keys unique. */
function indexByKey<T>(items: readonly T[], getKey: (item: T) => string): Map<string, T> {
  const result = new Map<string, T>();
  for (const item of items) {
    const key = getKey(item);
    let own = key;
    for (let count = 2; result.has(own); count += 1) own = `${key} (${count})`;
    result.set(own, item);
  }
  return result;
}

/**
 * Returns the longest subsequence of keys whose positions increase. The items of these keys need not be
 * reported as moved.
 */
function findLongestIncrease(keys: readonly string[], getPosition: (key: string) => number): string[] {
  /**
   * Last keys of increasing subsequences: at index n, the lowest key that ends a subsequence of length n + 1.
   */
  const ends: string[] = [];
  const previous = new Map<string, string | undefined>();
  for (const key of keys) {
    const at = ends.findIndex((end) => getPosition(end) >= getPosition(key));
    const length = at < 0 ? ends.length : at;
    previous.set(key, ends[length - 1]);
    ends[length] = key;
  }
  const row: string[] = [];
  for (let key = ends.at(-1); key !== undefined; key = previous.get(key)) row.unshift(key);
  return row;
}
