import { constants, inflateSync } from 'node:zlib';

/** Maximum bytes to decompress from one stream of a PDF, and from all its streams. */
const MAX_STREAM_BYTES = 4 * 1024 * 1024;
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
/** Maximum number of characters of the dictionary before a stream of a PDF. */
const MAX_DICTIONARY_CHARS = 2000;

/** Matches PDF operators that make text invisible, or that make text white right before it is drawn. */
const OPERATORS =
  /[37]\s+Tr\b|(?:(?<![\d.])1(?:\.0*)?(?:\s+1(?:\.0*)?\s+1(?:\.0*)?)?\s+(?:g|rg|scn?)|(?<![\d.])(?:0(?:\.0*)?\s+){4}(?:k|scn?))\s[^]{0,120}?(?:Tj|TJ|['"])\s/;
/** Matches transparency in the dictionary of a PDF's graphics state. */
const TRANSPARENCY = /\/ca\s+0?(?:\.0*)?[\s/>]/;
const PICTURE_OR_FONT = /\/Subtype\s*\/Image|\/Length1\b/;
const DEFLATE = /\/FlateDecode|\/Fl\b/;

/**
 * Returns whether a PDF may hide text by its color, its transparency or its rendering mode. Reading all
 * operators of a page takes as long as reading its text, and most documents hide no text.
 */
export function hasSignsOfHiddenText(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let remainingBytes = MAX_TOTAL_BYTES;
  for (let at = 0; at < file.length && remainingBytes > 0;) {
    const found = file.indexOf('stream', at);
    const objects = file.toString('latin1', at, found < 0 ? file.length : found);
    if (TRANSPARENCY.test(objects)) return true;
    if (found < 0) return false;
    const start = file.indexOf('\n', found) + 1;
    const end = file.indexOf('endstream', start);
    if (start === 0 || end < 0) return false;
    const content = readStream(file.subarray(start, end), objects.slice(-MAX_DICTIONARY_CHARS));
    if (OPERATORS.test(content) || TRANSPARENCY.test(content)) return true;
    remainingBytes -= content.length + objects.length;
    at = end + 'endstream'.length;
  }
  return false;
}

/**
 * Returns the text of a PDF's stream of operators or objects; empty for pictures, fonts and other
 * compressions.
 */
function readStream(stream: Buffer, objects: string): string {
  const dictionary = objects.slice(objects.lastIndexOf(' obj') + 1);
  if (PICTURE_OR_FONT.test(dictionary)) return '';
  if (!dictionary.includes('/Filter')) return stream.toString('latin1', 0, MAX_STREAM_BYTES);
  if (!DEFLATE.test(dictionary)) return '';
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_STREAM_BYTES };
    return inflateSync(stream, options).toString('latin1');
  } catch {
    return '';
  }
}
