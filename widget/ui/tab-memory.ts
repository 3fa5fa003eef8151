/** Stores a text for the next pages of this tab; null removes it. Does nothing if storage is blocked. */
export function remember(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // Ignore the error: the browser blocks storage, or its storage for the site is full.
  }
}

export function recall(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}
