import { basename, extname } from 'node:path';
import contentDispositionHeader from 'content-disposition';
import { normalizeText } from '../../core/text/normalize-text.ts';

const maxBytes = 255;
/** Maximum number of characters of an uploaded file's name that are read, longer than any real name. */
const MAX_READ_LENGTH = 10_000;
/**
 * Matches control characters, and invisible characters that make a file name look different (bidirectional
 * overrides).
 */
// oxlint-disable-next-line no-control-regex -- removing control characters is the purpose
const deceptive = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Returns the last part of a path as a file name that any file system accepts: no control characters, at most
 * 255 bytes.
 */
export function toSafeFilename(name: string): string {
  const cleaned = basename(name.toWellFormed().replaceAll('\\', '/')).replace(deceptive, '');
  const normalized = normalizeText(cleaned, 'NFC', MAX_READ_LENGTH).trim();
  if (/^\.*$/.test(normalized)) return 'document';
  return shortenFilename(normalized);
}

/**
 * Formats a `Content-Disposition` header (RFC 6266) with the file name in UTF-8 (RFC 8187) and an ASCII
 * fallback.
 */
export function formatContentDisposition(
  filename: string,
  type: 'attachment' | 'inline' = 'attachment',
): string {
  const name = toSafeFilename(filename);
  const ascii = normalizeText(name, 'NFKD', MAX_READ_LENGTH)
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '_')
    .replaceAll('%', '_');
  return contentDispositionHeader(name, { type, fallback: ascii });
}

function shortenFilename(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const extension = Buffer.byteLength(extname(name)) <= 20 ? extname(name) : '';
  let remainingBytes = maxBytes - Buffer.byteLength(extension);
  let stem = '';
  for (const { segment } of new Intl.Segmenter().segment(name.slice(0, name.length - extension.length))) {
    remainingBytes -= Buffer.byteLength(segment);
    if (remainingBytes < 0) break;
    stem += segment;
  }
  return (stem || 'document') + extension;
}
