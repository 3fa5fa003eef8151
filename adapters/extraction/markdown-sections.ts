import { cleanLine } from './clean-text.ts';
import type { Section } from './extracted-document.ts';
import { HeadingPath } from './heading-path.ts';

/** Matches the front matter (metadata) of a Markdown file, in YAML or in TOML. */
const frontMatter =
  /^(?:---[ \t]*\n(?:[^\n]*\n){0,200}?(?:---|\.\.\.)|\+\+\+[ \t]*\n(?:[^\n]*\n){0,200}?\+\+\+)[ \t]*(?:\n|$)/;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const atxHeading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const setextUnderline = /^ {0,3}(=+|-{2,})[ \t]*$/;

/**
 * Maximum number of characters of a heading in Markdown; longer text is a paragraph that looks like a
 * heading.
 */
const maxHeadingLength = 300;

/**
 * Splits a Markdown text into sections at its headings (`#` and underlined). Preserves code blocks; omits
 * front matter.
 */
export function splitMarkdown(markdown: string): Section[] {
  const sections: Section[] = [];
  const path = new HeadingPath();
  let lines: string[] = [];
  let openFence = '';

  const endSection = (nextLevel: number): void => {
    const section = path.createSection(lines.join('\n').trim(), nextLevel);
    if (section) sections.push(section);
    lines = [];
  };
  const startSection = (level: number, rawHeading: string): void => {
    const heading = rawHeading.length > maxHeadingLength ? '' : cleanHeading(rawHeading);
    if (!heading) return void lines.push(rawHeading);
    endSection(level);
    path.enter(level, heading);
  };

  for (const line of markdown.replace(frontMatter, '').split('\n')) {
    const marker = fence.exec(line)?.[1];
    if (marker && (!openFence || marker.startsWith(openFence))) openFence = openFence ? '' : marker;
    const atx = openFence ? null : atxHeading.exec(line);
    const underline = openFence || marker ? null : setextUnderline.exec(line);
    if (atx?.[1]) startSection(atx[1].length, atx[2] ?? '');
    else if (underline?.[1] && isParagraphLine(lines)) {
      startSection(underline[1].startsWith('=') ? 1 : 2, lines.pop() ?? '');
    } else lines.push(line);
  }
  endSection(0);
  return sections;
}

/** Returns the document's title: its first top-level heading. */
export function findFirstHeading(sections: readonly Section[]): string | null {
  return sections.find((section) => section.headings.length > 0)?.headings[0] ?? null;
}

/**
 * Returns whether a line of `=` or `-` below these Markdown lines makes a heading. The text above must be one
 * line, not part of a table, list or quote.
 */
function isParagraphLine(lines: readonly string[]): boolean {
  const lastLine = lines.at(-1)?.trim() ?? '';
  const isFirstLine = !lines.at(-2)?.trim();
  return (
    isFirstLine && lastLine.length > 0 && lastLine.length <= 200 && !/^(?:[|>#*+-]|\d+[.)])/.test(lastLine)
  );
}

/**
 * Removes the Markdown markup of a heading. Each expression excludes its own first character, so that
 * repetitions of this character cost linear time.
 */
function cleanHeading(raw: string): string {
  return cleanLine(
    raw
      .replace(/(?:^|\s)#+\s*$/, '')
      .replace(/!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
      .replace(/\*\*|__|`|~~/g, '')
      .replace(/(^|\s)[*_]([^*_]+)[*_](?=\W|$)/g, '$1$2')
      .replace(/\{#[\w-]+\}\s*$/, '')
      .replace(/<[^<>]{1,200}>/g, ''),
  );
}
