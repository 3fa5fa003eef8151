const reported = new Set<string>();

/** Warns the developer of the page, in the browser's console, about a mistake that the widget works around. */
export function warn(problem: string): void {
  report('warn', problem);
}

/** Reports a mistake in the page that keeps the widget from starting. */
export function reportError(problem: string): void {
  report('error', problem);
}

function report(level: 'warn' | 'error', problem: string): void {
  if (reported.has(problem)) return;
  reported.add(problem);
  // oxlint-disable-next-line no-console -- developers of the page look in the console
  console[level](`Parley: ${problem}`);
}
