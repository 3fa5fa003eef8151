/** Current state of an edited object, with the states for undo and redo. */
export interface History<T> {
  past: readonly T[];
  present: T;
  future: readonly T[];
  /**
   * Key of the value that the user changed last, such as a field. Consecutive changes with the same key
   * become one undo step.
   */
  subject: string | null;
}

const MAX_UNDO_STEPS = 100;

export function startHistory<T>(present: T): History<T> {
  return { past: [], present, future: [], subject: null };
}

/**
 * Records a change.
 * @param subject key of the edited value: a change with the same key as the previous change extends the same
 *   undo step; null starts a new step
 */
export function recordChange<T>(history: History<T>, present: T, subject: string | null = null): History<T> {
  if (present === history.present) return history;
  const extendsLastStep = subject !== null && subject === history.subject;
  const past = extendsLastStep ? history.past : [...history.past, history.present].slice(-MAX_UNDO_STEPS);
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
