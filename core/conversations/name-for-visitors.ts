/**
 * Returns the part of a member's name that visitors see: the first name, with titles such as “Dr.” before it.
 */
export function nameForVisitors(fullName: string | null): string | null {
  return /^\s*((?:\S+\.\s+)*\S+)/u.exec(fullName ?? '')?.[1] ?? null;
}
