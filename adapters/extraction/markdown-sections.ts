import { cleanLine } from './clean-text.ts';
import type { Section } from './extracted-document.ts';

const frontMatter = /^---[ \t]*\n(?:[^\n]*\n){0,200}?(?:---|\.\.\.)[ \t]*(?:\n|$)/;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const atxHeading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const setextUnderline = /^ {0,3}(=+|-{2,})[ \t]*$/;

/** What is longer is a paragraph that happens to look like a heading. */
const maxHeadingLength = 300;

interface OpenSection {
  level: number;
  headings: string[];
  lines: string[];
}

/** Markdown by its headings (ATX and setext); code fences are left alone, front matter is dropped. */
export function markdownSections(markdown: string): Section[] {
  const sections: Section[] = [];
  const path: { level: number; heading: string }[] = [];
  let open: OpenSection = { level: 0, headings: [], lines: [] };
  let openFence = '';

  const startSection = (level: number, rawHeading: string): void => {
    const heading = rawHeading.length > maxHeadingLength ? '' : plainHeading(rawHeading);
    if (!heading) return void open.lines.push(rawHeading);
    closeSection(sections, open, level);
    while ((path.at(-1)?.level ?? 0) >= level) path.pop();
    path.push({ level, heading });
    open = { level, headings: path.map((step) => step.heading), lines: [] };
  };

  for (const line of markdown.replace(frontMatter, '').split('\n')) {
    const marker = fence.exec(line)?.[1];
    if (marker && (!openFence || marker.startsWith(openFence))) openFence = openFence ? '' : marker;
    const atx = openFence ? null : atxHeading.exec(line);
    const underline = openFence || marker ? null : setextUnderline.exec(line);
    if (atx?.[1]) startSection(atx[1].length, atx[2] ?? '');
    else if (underline?.[1] && isParagraphLine(open.lines)) {
      startSection(underline[1].startsWith('=') ? 1 : 2, open.lines.pop() ?? '');
    } else open.lines.push(line);
  }
  closeSection(sections, open, 0);
  return sections;
}

/** The document's title: its first top-level heading. */
export function firstHeading(sections: readonly Section[]): string | null {
  return sections.find((section) => section.headings.length > 0)?.headings[0] ?? null;
}

/** A heading with neither text nor subsections is all there is to say, so it becomes the text. */
function closeSection(sections: Section[], { level, headings, lines }: OpenSection, nextLevel: number): void {
  const text = lines.join('\n').trim();
  const heading = headings.at(-1);
  if (text) sections.push({ headings, text });
  else if (heading && nextLevel <= level) sections.push({ headings, text: heading });
}

/** A setext underline needs one line of paragraph above it, not a table, list or quote. */
function isParagraphLine(lines: readonly string[]): boolean {
  const above = lines.at(-1)?.trim() ?? '';
  const isFirstLine = !lines.at(-2)?.trim();
  return isFirstLine && above.length > 0 && above.length <= 200 && !/^(?:[|>#*+-]|\d+[.)])/.test(above);
}

function plainHeading(raw: string): string {
  return cleanLine(
    raw
      .replace(/(?:^|\s)#+\s*$/, '')
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/\*\*|__|`|~~/g, '')
      .replace(/(^|\s)[*_]([^*_]+)[*_](?=\W|$)/g, '$1$2')
      .replace(/\s*\{#[\w-]+\}\s*$/, '')
      .replace(/<[^>]{1,200}>/g, ''),
  );
}
