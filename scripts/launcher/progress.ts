import { escapeUnsafe } from '../../core/text/safe-text.ts';

const REPEAT_MS = 5000;

/** One line of what is going on. What logs and other servers say in it does nothing to a terminal. */
export function say(line: string): void {
  process.stdout.write(`${escapeUnsafe(line)}\n`);
}

/** Says it now and every few seconds with the time that has passed, until the returned function is called. */
export function keepSaying(tell: (line: string) => void, what: string): () => void {
  const startedAt = Date.now();
  tell(`${what} …`);
  const timer = setInterval(
    () => tell(`${what} … ${Math.round((Date.now() - startedAt) / 1000)} s`),
    REPEAT_MS,
  );
  return () => clearInterval(timer);
}
