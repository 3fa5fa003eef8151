type Kind = 'draft' | 'note' | 'outgoing';

const getKeyPrefix = (kind: Kind) => `parley.${kind}.`;

/** Reads a value that is stored for a conversation in this tab's session storage. */
export function readTabValue<T>(kind: Kind, conversationId: string): T | null {
  const stored = sessionStorage.getItem(getKeyPrefix(kind) + conversationId);
  return stored === null ? null : (JSON.parse(stored) as T);
}

/**
 * Stores a value for a conversation in this tab's session storage.
 * @param value null to remove the stored value
 */
export function storeTabValue(kind: Kind, conversationId: string, value: unknown): void {
  const name = getKeyPrefix(kind) + conversationId;
  if (value === null) sessionStorage.removeItem(name);
  else sessionStorage.setItem(name, JSON.stringify(value));
}

export function deleteTabValues(kind: Kind): void {
  for (const name of listTabKeys(kind)) sessionStorage.removeItem(name);
}

export function hasTabValues(kind: Kind): boolean {
  return listTabKeys(kind).length > 0;
}

function listTabKeys(kind: Kind): string[] {
  return Object.keys(sessionStorage).filter((name) => name.startsWith(getKeyPrefix(kind)));
}
