import { escapeUnsafe } from '../../core/text/safe-text.ts';

const REPEAT_MS = 5000;

/** Prints a status line. Escapes control characters, which texts of logs or other servers may contain. */
export function say(line: string): void {
  process.stdout.write(`${escapeUnsafe(line)}\n`);
}

/**
 * Prints a status line, and repeats it every few seconds with the elapsed time.
 * @returns a function that ends the repetition
 */
export function repeatStatus(report: (line: string) => void, status: string): () => void {
  const startedAt = Date.now();
  report(`${status} …`);
  const timer = setInterval(
    () => report(`${status} … ${Math.round((Date.now() - startedAt) / 1000)} s`),
    REPEAT_MS,
  );
  return () => clearInterval(timer);
}
