import { cleanLine, cleanText } from './clean-text.ts';
import { parseCharset, decodeText } from './decode-text.ts';
import type { ReadResult } from './extracted-document.ts';
import { findFirstHeading, splitMarkdown } from './markdown-sections.ts';

export function readText(bytes: Uint8Array, mimeType: string | null): ReadResult {
  const text = cleanText(decodeText(bytes, parseCharset(mimeType))).trim();
  return { title: null, language: null, sections: [{ headings: [], text }] };
}

export function readMarkdown(bytes: Uint8Array, mimeType: string | null): ReadResult {
  const markdown = cleanText(decodeText(bytes, parseCharset(mimeType)));
  const sections = splitMarkdown(markdown);
  const declared = /^---\n(?:[^\n]*\n)*?title:[ \t]*([^\n]+)\n(?:[^\n]*\n)*?---/.exec(
    markdown.slice(0, 4096),
  );
  const title = cleanLine(declared?.[1]?.replace(/^(["'])(.*)\1\s*$/, '$2') ?? '');
  return { title: title || findFirstHeading(sections), language: null, sections };
}
