import { Parser } from 'htmlparser2';
import { parsePrimaryLanguage } from '../extracted-document.ts';
import { findEncoding } from './encodings.ts';

/** Character encodings and language that an HTML page declares. */
export interface MarkupHints {
  /** Character encodings that the page declares, the most important first. */
  encodings: string[];
  /** ISO 639-1 code of the page's language; null if the page declares no language. */
  language: string | null;
}

/**
 * Number of bytes at the start of a page in which declarations of the encoding are searched. Scripts and
 * styles at the top of a page can take many kilobytes.
 */
const SEARCHED_BYTES = 256 * 1024;
const XML_DECLARATION = /^[\s\0]*<\?xml\s[^>]{0,500}?\bencoding\s*=\s*["']([^"'<>]{1,40})["']/i;
const CHARSET_PARAMETER = /charset\s*=\s*["']?\s*([^\s"';,]{1,40})/i;

/** Returns the charset parameter of a media type such as `text/html; charset="windows-1251"`. */
export function parseCharset(mimeType: string | null | undefined): string | null {
  return CHARSET_PARAMETER.exec(mimeType ?? '')?.[1] ?? null;
}

/** Returns the encoding in the XML declaration at the start of a file; null if the file has none. */
export function findXmlEncoding(bytes: Uint8Array): string | null {
  const label = XML_DECLARATION.exec(toLatin1(bytes.subarray(0, 1024)))?.[1];
  return label === undefined ? null : findMarkupEncoding(label);
}

/**
 * Reads the encodings from a page's `meta` elements, and the page's language. Comments, scripts and other
 * texts that contain `charset=` declare nothing.
 */
export function readMarkupHints(bytes: Uint8Array): MarkupHints {
  const hints: MarkupHints = { encodings: [], language: null };
  const declare = (label: string | null | undefined) => {
    const encoding = label ? findMarkupEncoding(label) : null;
    if (encoding !== null) hints.encodings.push(encoding);
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'html') {
        hints.language ??= parsePrimaryLanguage(attributes['lang'] ?? attributes['xml:lang']);
      } else if (name === 'meta') {
        const kind = attributes['http-equiv']?.trim().toLowerCase();
        if (attributes['charset'] !== undefined) declare(attributes['charset']);
        else if (kind === 'content-type') declare(parseCharset(attributes['content']));
        else if (kind === 'content-language') hints.language ??= parsePrimaryLanguage(attributes['content']);
      }
    },
  });
  parser.end(toLatin1(bytes.subarray(0, SEARCHED_BYTES)));
  return hints;
}

/**
 * Returns the encoding for a label in a page's markup. A label of UTF-16 is wrong: in UTF-16, the bytes of
 * the label itself would be different.
 */
function findMarkupEncoding(label: string): string | null {
  const encoding = label.trim().toLowerCase() === 'x-user-defined' ? 'windows-1252' : findEncoding(label);
  return encoding?.startsWith('utf-') ? 'utf-8' : encoding;
}

function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
