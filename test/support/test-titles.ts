/** What a file of tests calls them and their groups, with an ellipsis for what is put in. */
export function titlesIn(source: string): string[] {
  const titles = source.matchAll(/\b(?:describe|it|itInSoak)\(\s*(?:`([^`]*)`|'((?:[^'\\]|\\.)*)')/g);
  return [...titles].map(([, made, fixed]) => fixed ?? made!.replaceAll(/\$\{[^}]*\}/g, '…'));
}
