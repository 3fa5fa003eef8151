import { cleanLine, cleanText } from './clean-text.ts';
import { decodeText, type TextHints } from './encoding/decode-text.ts';
import type { ReadResult } from './extracted-document.ts';
import { findFirstHeading, splitMarkdown } from './markdown-sections.ts';

export function readPlainText(bytes: Uint8Array, hints: TextHints): ReadResult {
  const { text, notice } = decodeText(bytes, hints);
  const sections = [{ headings: [], text: cleanText(text).trim() }];
  return { title: null, language: null, sections, ...(notice && { notice }) };
}

export function readMarkdown(bytes: Uint8Array, hints: TextHints): ReadResult {
  const { text, notice } = decodeText(bytes, hints);
  const markdown = cleanText(text);
  const sections = splitMarkdown(markdown);
  const declared = /^---\n(?:[^\n]*\n)*?title:[ \t]*([^\n]+)\n(?:[^\n]*\n)*?---/.exec(
    markdown.slice(0, 4096),
  );
  const title = cleanLine(declared?.[1]?.replace(/^(["'])(.*)\1\s*$/, '$2') ?? '');
  return {
    title: title || findFirstHeading(sections),
    language: null,
    sections,
    ...(notice && { notice }),
  };
}
