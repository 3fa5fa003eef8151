import chardet from 'chardet';

const sampleBytes = 64 * 1024;
const byteOrderMarks: [string, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Decodes text of unknown encoding. The byte order mark decides, otherwise the declared charset unless the
 * bytes contradict it, otherwise detection.
 */
export function decodeText(bytes: Uint8Array, declaredCharset?: string | null): string {
  const label = detectByteOrderMark(bytes) ?? detectUnmarkedUtf16(bytes);
  if (label) return new TextDecoder(label).decode(bytes);
  for (const candidate of [declaredCharset, 'utf-8']) {
    const text = candidate ? decodeStrictly(bytes, candidate) : null;
    if (text !== null) return text;
  }
  const guess = chardet.detect(bytes.subarray(0, sampleBytes));
  return (guess ? decodeStrictly(bytes, guess) : null) ?? new TextDecoder('windows-1252').decode(bytes);
}

/** Returns the charset parameter of a media type such as `text/html; charset="windows-1251"`. */
export function parseCharset(mimeType: string | null | undefined): string | null {
  return /charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(mimeType ?? '')?.[1] ?? null;
}

export function detectByteOrderMark(bytes: Uint8Array): string | null {
  const found = byteOrderMarks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  return found?.[0] ?? null;
}

/** Detects UTF-16 without a byte order mark. In Western text, nearly every second byte is zero. */
export function detectUnmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const length = Math.min(bytes.length, 1024) & ~1;
  if (length < 8) return null;
  const zeros = [0, 0];
  for (let index = 0; index < length; index++) if (bytes[index] === 0) zeros[index & 1]!++;
  const [even, odd] = zeros as [number, number];
  const most = length * 0.35;
  if (odd > most && even < length * 0.05) return 'utf-16le';
  if (even > most && odd < length * 0.05) return 'utf-16be';
  return null;
}

function decodeStrictly(bytes: Uint8Array, label: string): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
