import { cleanLine, cleanText } from './clean-text.ts';
import { charsetOf, decodeText } from './decode-text.ts';
import type { ReadResult } from './extracted-document.ts';
import { firstHeading, markdownSections } from './markdown-sections.ts';

export function readText(bytes: Uint8Array, mimeType: string | null): ReadResult {
  const text = cleanText(decodeText(bytes, charsetOf(mimeType))).trim();
  return { title: null, language: null, sections: [{ headings: [], text }] };
}

export function readMarkdown(bytes: Uint8Array, mimeType: string | null): ReadResult {
  const markdown = cleanText(decodeText(bytes, charsetOf(mimeType)));
  const sections = markdownSections(markdown);
  const declared = /^---\n(?:[^\n]*\n)*?title:[ \t]*([^\n]+)\n(?:[^\n]*\n)*?---/.exec(
    markdown.slice(0, 4096),
  );
  const title = cleanLine(declared?.[1]?.replace(/^(["'])(.*)\1\s*$/, '$2') ?? '');
  return { title: title || firstHeading(sections), language: null, sections };
}
