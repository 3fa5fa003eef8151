import { parseBlocks, type Block } from './markdown-blocks.ts';
import type { Inline } from './markdown-inline.ts';

/**
 * Returns a Markdown text as one line without formatting and citation marks.
 * @param isCut whether the text is cut off; open marks at its end then count as closed
 */
export function plainMarkdown(text: string, isCut = false): string {
  const words = (blocks: readonly Block[]): string => blocks.map(wordsOf).join(' ');
  const inline = (parts: readonly Inline[]): string => inlineText(parts, (label) => label);
  const wordsOf = (block: Block): string => {
    switch (block.type) {
      case 'paragraph':
      case 'heading':
        return inline(block.children);
      case 'code':
        return block.text;
      case 'rule':
        return '';
      case 'quote':
        return words(block.children);
      case 'list':
        return block.items.map(words).join(' ');
      case 'table':
        return [block.header, ...block.rows].map((row) => row.map(inline).join(' ')).join(' ');
    }
  };
  return words(parseBlocks(text, isCut).blocks).replace(/\s+/g, ' ').trim();
}

/** Renders a Markdown text as lines of a mail. Lists keep their marks, and links show their URL. */
export function plainLines(text: string): string[] {
  return blockLines(parseBlocks(text.replace(/\r\n?/g, '\n')).blocks);
}

function blockLines(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block, at) => (at === 0 ? linesOf(block) : ['', ...linesOf(block)]));
}

function linesOf(block: Block): string[] {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return inlineLines(block.children);
    case 'code':
      return block.text.split('\n');
    case 'rule':
      return ['—'];
    case 'quote':
      return blockLines(block.children).map((line) => `> ${line}`);
    case 'list':
      return block.items.flatMap((item, at) => {
        const mark = block.isOrdered ? `${block.start + at}. ` : '- ';
        return blockLines(item).map((line, row) => (row === 0 ? mark : ' '.repeat(mark.length)) + line);
      });
    case 'table':
      return [block.header, ...block.rows].map((row) =>
        row.map((cell) => inlineLines(cell).join(' ')).join(' | '),
      );
  }
}

function inlineLines(parts: readonly Inline[]): string[] {
  return inlineText(parts, (label, href) => (label === href ? href : `${label} (${href})`)).split('\n');
}

function inlineText(parts: readonly Inline[], link: (label: string, href: string) => string): string {
  const textOf = (part: Inline): string => {
    switch (part.type) {
      case 'text':
      case 'code':
        return part.text;
      case 'break':
        return '\n';
      case 'citation':
        return '';
      case 'link':
        return link(inlineText(part.children, link), part.href);
      case 'strong':
      case 'emphasis':
      case 'deleted':
        return inlineText(part.children, link);
    }
  };
  return parts.map(textOf).join('');
}
