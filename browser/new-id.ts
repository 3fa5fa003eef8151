/** Returns a random id. `crypto.randomUUID` is missing on pages without TLS. */
export function generateBrowserId(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
