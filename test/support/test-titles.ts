/**
 * Reads the titles of tests and suites from a test file, with an ellipsis for each inserted value.
 * `register` is a variable that is either `it` or `itInSoak`.
 */
export function readTestTitles(source: string): string[] {
  const titles = source.matchAll(
    /\b(?:describe|it|itInSoak|register)\(\s*(?:`([^`]*)`|'((?:[^'\\]|\\.)*)')/g,
  );
  return [...titles].map(([, made, fixed]) => fixed ?? made!.replaceAll(/\$\{[^}]*\}/g, '…'));
}
