/** Builds texts of many runs of backticks, each shorter than the run that opens the first code block. */
export function buildBacktickRuns(length: number): string[] {
  return [50, 4_000, 100_000].map((longest) => {
    const shorter = `${'`'.repeat(longest - 1)}a`;
    const text = `${'`'.repeat(longest)}a${shorter.repeat(Math.ceil(length / shorter.length))}`;
    return text.slice(0, length);
  });
}
