/**
 * Returns the part of a member's name that visitors see: the first name, with preceding abbreviations such as
 * titles.
 */
export function nameForVisitors(fullName: string | null): string | null {
  return /^\s*((?:\S+\.\s+)*\S+)/u.exec(fullName ?? '')?.[1] ?? null;
}
