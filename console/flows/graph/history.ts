/** States one after the other, to go back to and forth. */
export interface History<T> {
  past: readonly T[];
  present: T;
  future: readonly T[];
  /** What was changed last: changes to the same thing, one after the other, are taken back at once. */
  subject: string | null;
}

const MOST_KEPT = 100;

export function begin<T>(present: T): History<T> {
  return { past: [], present, future: [], subject: null };
}

/** @param subject of a change that goes on, as typing does; null for one that stands for itself */
export function change<T>(history: History<T>, present: T, subject: string | null = null): History<T> {
  if (present === history.present) return history;
  const goesOn = subject !== null && subject === history.subject;
  const past = goesOn ? history.past : [...history.past, history.present].slice(-MOST_KEPT);
  return { past, present, future: [], subject };
}

export function undo<T>(history: History<T>): History<T> {
  const { past, present, future } = history;
  if (past.length === 0) return history;
  return { past: past.slice(0, -1), present: past.at(-1)!, future: [present, ...future], subject: null };
}

export function redo<T>(history: History<T>): History<T> {
  const { past, present, future } = history;
  const [next, ...later] = future;
  if (next === undefined) return history;
  return { past: [...past, present], present: next, future: later, subject: null };
}
