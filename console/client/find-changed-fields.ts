/**
 * Returns the fields of a form whose values differ from the stored values. Requests include only changed
 * fields, so that they do not overwrite another user's changes.
 */
export function findChangedFields<T extends object>(stored: NoInfer<T>, edited: T): Partial<T> {
  const changed = Object.entries(edited).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as keyof T]),
  );
  return Object.fromEntries(changed) as Partial<T>;
}
