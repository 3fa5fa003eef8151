/**
 * Patterns for the first bytes, in hexadecimal, of request bodies that are not UTF-8. UTF-32 precedes UTF-16,
 * whose patterns match it too.
 */
const BEGINNINGS: readonly [beginning: RegExp, message: string][] = [
  [/^1f8b/, 'The body is compressed with gzip. Send it uncompressed.'],
  [/^28b52ffd/, 'The body is compressed with zstd. Send it uncompressed.'],
  [/^504b0304/, 'The body is a ZIP archive. Send JSON.'],
  [/^(fffe0000|0000feff|..000000|000000)/, 'The body is UTF-32. Send it in UTF-8.'],
  [/^(fffe|feff|(?!00)..00|00(?!00)..)/, 'The body is UTF-16. Send it in UTF-8.'],
];

/**
 * Names the encoding of a request body that is not JSON in UTF-8; undefined if its first bytes are those of
 * UTF-8.
 */
export function describeEncoding(bytes: Buffer): string | undefined {
  if (bytes.length < 4) return undefined;
  const beginning = bytes.toString('hex', 0, 4);
  return BEGINNINGS.find(([pattern]) => pattern.test(beginning))?.[1];
}
