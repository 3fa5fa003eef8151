import { cleanLine, cleanText } from './clean-text.ts';
import { decodeText, type TextHints } from './encoding/decode-text.ts';
import type { ReadResult } from './extracted-document.ts';
import { removeMarkdownComments } from './markdown-comments.ts';
import { findFirstHeading, splitMarkdown } from './markdown-sections.ts';

/**
 * Matches the title in the front matter (metadata) of a text file: `title: …` of YAML, `title = …` of TOML.
 */
const FRONT_TITLE = /^(---|\+\+\+)\n(?:[^\n]*\n)*?title[ \t]*[:=][ \t]*([^\n]+)\n(?:[^\n]*\n)*?\1/;
/** Matches codes with which programs color their output in a terminal. */
// oxlint-disable-next-line no-control-regex -- each begins with the character Escape
const TERMINAL_CODES = /\u001b\[[\d;?]{0,30}[A-Za-z]/g;

export function readPlainText(bytes: Uint8Array, hints: TextHints): ReadResult {
  const { text, notice } = decodeText(bytes, hints);
  const sections = [{ headings: [], text: cleanText(text.replace(TERMINAL_CODES, '')).trim() }];
  return { title: null, language: null, sections, ...(notice && { notice }) };
}

export function readMarkdown(bytes: Uint8Array, hints: TextHints): ReadResult {
  const { text, notice } = decodeText(bytes, hints);
  const markdown = removeMarkdownComments(cleanText(text));
  const sections = splitMarkdown(markdown);
  const declared = FRONT_TITLE.exec(markdown.slice(0, 4096));
  const title = cleanLine(declared?.[2]?.replace(/^(["'])(.*)\1\s*$/, '$2') ?? '');
  return {
    title: title || findFirstHeading(sections),
    language: null,
    sections,
    ...(notice && { notice }),
  };
}
