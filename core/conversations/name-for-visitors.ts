/** What visitors are told of a member's name: the first part, with abbreviations such as titles before it. */
export function nameForVisitors(fullName: string | null): string | null {
  return /^\s*((?:\S+\.\s+)*\S+)/u.exec(fullName ?? '')?.[1] ?? null;
}
