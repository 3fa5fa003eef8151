type IncludedName<T> = { [N in keyof T]: T[N] extends true ? N : never }[keyof T];

/**
 * Lists the names that a record marks with true, in the order of the record. If the record's type requires
 * all columns, a new column without a decision does not compile.
 */
export function listIncludedNames<T extends Readonly<Record<string, boolean>>>(
  decisions: T,
): IncludedName<T>[] {
  const names = Object.entries(decisions).flatMap(([name, isIncluded]) => (isIncluded ? [name] : []));
  return names as IncludedName<T>[];
}
