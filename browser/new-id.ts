/** Returns a random id. Browsers offer `crypto.randomUUID` only on pages with TLS. */
export function generateBrowserId(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
