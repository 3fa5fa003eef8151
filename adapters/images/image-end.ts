import type { ImageType } from './image-type.ts';

/**
 * Returns the offset at which an image ends according to its structure, since data may follow. Null if the
 * file is truncated.
 */
export function findImageEnd(bytes: Buffer, type: ImageType): number | null {
  const end = ends[type](bytes);
  return end !== null && end <= bytes.length ? end : null;
}

const ends: Record<ImageType, (bytes: Buffer) => number | null> = {
  png: findPngEnd,
  webp: (bytes) => 8 + bytes.readUInt32LE(4),
  jpeg: findJpegEnd,
};

const PNG_SIGNATURE_BYTES = 8;
/** Number of bytes of a PNG chunk in addition to its data: length, type and checksum. */
const PNG_CHUNK_BYTES = 12;

function findPngEnd(bytes: Buffer): number | null {
  for (let at = PNG_SIGNATURE_BYTES; at + PNG_CHUNK_BYTES <= bytes.length;) {
    const end = at + PNG_CHUNK_BYTES + bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return end;
    at = end;
  }
  return null;
}

const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;

/**
 * Returns the offset at which a JPEG image ends. Includes further images that cameras append, such as
 * previews.
 */
function findJpegEnd(bytes: Buffer): number | null {
  let end = findJpegImageEnd(bytes, 0);
  while (end !== null && bytes[end] === 0xff && bytes[end + 1] === START) end = findJpegImageEnd(bytes, end);
  return end;
}

function findJpegImageEnd(bytes: Buffer, start: number): number | null {
  for (let at = start + 2; at + 4 <= bytes.length || bytes[at + 1] === END;) {
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff || marker === undefined) return null;
    if (marker === END) return at + 2;
    if (marker === 0xff) at += 1;
    else at += 2 + bytes.readUInt16BE(at + 2);
    if (marker === SCAN) at = findNextMarker(bytes, at);
  }
  return null;
}

/**
 * Returns the offset of the next marker after compressed data of a JPEG image. There, 0xff followed by zero
 * is data, and 0xff followed by 0xd0 to 0xd7 is a restart.
 */
function findNextMarker(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const code = bytes[at + 1] ?? 0;
    if (code !== 0 && code !== 0xff && (code < 0xd0 || code > 0xd7)) return at;
  }
  return bytes.length;
}
