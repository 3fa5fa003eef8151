export type ImageType = 'png' | 'webp' | 'jpeg';

export const imageMimeTypes = {
  png: 'image/png',
  webp: 'image/webp',
  jpeg: 'image/jpeg',
} as const satisfies Record<ImageType, string>;

/** Detects the format of an image by its first bytes; null if unsupported. Ignores file names. */
export function detectImageType(bytes: Buffer): ImageType | null {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'webp' : null;
}
