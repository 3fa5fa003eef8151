const MAX_NAMES = 3;

/** Finds the known names that differ least from a mistyped word. */
export function findNearest(word: string, names: readonly string[]): readonly string[] {
  const typed = word.toLowerCase();
  // Up to a third of the letters may differ, so that short words match no other words.
  const tolerance = Math.max(1, Math.floor(typed.length / 3));
  const measured = names.map((name) => ({ name, distance: countEdits(typed, name.toLowerCase()) }));
  const nearest = Math.min(tolerance, ...measured.map(({ distance }) => distance));
  return measured
    .filter(({ distance }) => distance === nearest)
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}

/** Formats names as ` Did you mean …?` for error messages; returns an empty text for an empty list. */
export function suggest(names: readonly string[]): string {
  return names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`;
}

/**
 * Counts the letters to insert, delete, replace or swap with their neighbor to convert one word to another
 * (optimal string alignment).
 */
function countEdits(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
