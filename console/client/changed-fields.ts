/** What is to be sent of a form: fields that are as they were may have been changed elsewhere meanwhile. */
export function changedFields<T extends object>(stored: NoInfer<T>, wanted: T): Partial<T> {
  const changed = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as keyof T]),
  );
  return Object.fromEntries(changed) as Partial<T>;
}
