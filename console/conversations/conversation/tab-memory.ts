type Kind = 'draft' | 'outgoing';

const prefixOf = (kind: Kind) => `parley.${kind}.`;

/** Returns the stored value of a conversation; the tab keeps it across reloads. */
export function readKept<T>(kind: Kind, conversationId: string): T | null {
  const kept = sessionStorage.getItem(prefixOf(kind) + conversationId);
  return kept === null ? null : (JSON.parse(kept) as T);
}

/** @param value value to store; null to remove it */
export function keep(kind: Kind, conversationId: string, value: unknown): void {
  const name = prefixOf(kind) + conversationId;
  if (value === null) sessionStorage.removeItem(name);
  else sessionStorage.setItem(name, JSON.stringify(value));
}

export function forgetKept(kind: Kind): void {
  for (const name of namesOf(kind)) sessionStorage.removeItem(name);
}

export function hasKept(kind: Kind): boolean {
  return namesOf(kind).length > 0;
}

function namesOf(kind: Kind): string[] {
  return Object.keys(sessionStorage).filter((name) => name.startsWith(prefixOf(kind)));
}
