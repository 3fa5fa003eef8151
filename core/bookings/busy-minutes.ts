const MINUTE_MS = 60_000;

/** A range of time as its start and end, in milliseconds since the epoch. */
export type MsInterval = readonly [startMs: number, endMs: number];

/**
 * Merges the busy times of a calendar into sorted minutes since the epoch: `[start, end, start, end, …]`.
 * Extends each busy time to whole minutes.
 * @param within range to which all other ranges are cut
 */
export function mergeBusyMinutes(intervals: Iterable<MsInterval>, within?: MsInterval): number[] {
  const [min, max] = within ?? [-Infinity, Infinity];
  const sorted = [...intervals]
    .map(([start, end]): MsInterval => [Math.max(start, min), Math.min(end, max)])
    .filter(([start, end]) => end > start)
    .map(([start, end]): MsInterval => [Math.floor(start / MINUTE_MS), Math.ceil(end / MINUTE_MS)])
    .sort(([one], [other]) => one - other);
  const merged: number[] = [];
  for (const [start, end] of sorted) addPeriod(merged, start, end);
  return merged;
}

/** Adds a busy period that begins no earlier than the last period of the list. */
function addPeriod(merged: number[], start: number, end: number): void {
  const last = merged.length - 1;
  if (last >= 0 && start <= merged[last]!) merged[last] = Math.max(merged[last]!, end);
  else merged.push(start, end);
}

/** Merges the busy minutes of several calendars into one list, in linear time for each pair of lists. */
export function mergeBusy(lists: readonly (readonly number[])[]): number[] {
  let merging = lists.filter(({ length }) => length > 0);
  while (merging.length > 1)
    merging = Array.from({ length: Math.ceil(merging.length / 2) }, (_, index) =>
      mergeTwo(merging[2 * index]!, merging[2 * index + 1] ?? []),
    );
  return [...(merging[0] ?? [])];
}

function mergeTwo(one: readonly number[], other: readonly number[]): number[] {
  const merged: number[] = [];
  let nextOfOne = 0;
  let nextOfOther = 0;
  while (nextOfOne < one.length || nextOfOther < other.length) {
    const isOneNext = (one[nextOfOne] ?? Infinity) <= (other[nextOfOther] ?? Infinity);
    const list = isOneNext ? one : other;
    const next = isOneNext ? nextOfOne : nextOfOther;
    addPeriod(merged, list[next]!, list[next + 1]!);
    if (isOneNext) nextOfOne += 2;
    else nextOfOther += 2;
  }
  return merged;
}

/** Returns whether any busy minute of a calendar overlaps the range. */
export function isBusyWithin(busy: readonly number[], { start, end }: { start: Date; end: Date }): boolean {
  return toPairs(busy).some(
    ([from, to]) => from * MINUTE_MS < end.getTime() && to * MINUTE_MS > start.getTime(),
  );
}

function toPairs(list: readonly number[]): MsInterval[] {
  return Array.from({ length: list.length / 2 }, (_, index) => [list[2 * index]!, list[2 * index + 1]!]);
}
