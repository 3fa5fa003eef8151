/** Returns the changed fields. Sending unchanged ones could overwrite edits made elsewhere. */
export function findChangedFields<T extends object>(stored: NoInfer<T>, wanted: T): Partial<T> {
  const changed = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as keyof T]),
  );
  return Object.fromEntries(changed) as Partial<T>;
}
