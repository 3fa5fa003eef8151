type IncludedName<T> = { [N in keyof T]: T[N] extends true ? N : never }[keyof T];

/**
 * Lists the names that a table of decisions marks with true, in the order of the table. If the table is a
 * record of all columns, a new column without a decision does not compile.
 */
export function listIncludedNames<T extends Readonly<Record<string, boolean>>>(
  decisions: T,
): IncludedName<T>[] {
  const names = Object.entries(decisions).flatMap(([name, isIncluded]) => (isIncluded ? [name] : []));
  return names as IncludedName<T>[];
}
