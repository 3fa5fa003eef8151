import { parseBlocks, type Block } from './markdown-blocks.ts';
import type { Inline } from './markdown-inline.ts';

/**
 * Converts a Markdown text to one line without formatting and citations.
 * @param isCut whether the text was truncated; formatting that is open at its end then counts as closed
 */
export function toPlainText(text: string, isCut = false): string {
  const joinBlocks = (blocks: readonly Block[]): string => blocks.map(joinBlock).join(' ');
  const inline = (parts: readonly Inline[]): string => renderInlineText(parts, (label) => label);
  const joinBlock = (block: Block): string => {
    switch (block.type) {
      case 'paragraph':
      case 'heading':
        return inline(block.children);
      case 'code':
        return block.text;
      case 'rule':
        return '';
      case 'quote':
        return joinBlocks(block.children);
      case 'list':
        return block.items.map(joinBlocks).join(' ');
      case 'table':
        return [block.header, ...block.rows].map((row) => row.map(inline).join(' ')).join(' ');
    }
  };
  return joinBlocks(parseBlocks(text, isCut).blocks).replace(/\s+/g, ' ').trim();
}

/**
 * Converts a Markdown text to lines of plain text for an email. List markers stay, and links show their URL.
 */
export function toMailLines(text: string): string[] {
  return listBlockLines(parseBlocks(text.replace(/\r\n?/g, '\n')).blocks);
}

function listBlockLines(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block, at) =>
    at === 0 ? renderBlockLines(block) : ['', ...renderBlockLines(block)],
  );
}

function renderBlockLines(block: Block): string[] {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return splitInlineLines(block.children);
    case 'code':
      return block.text.split('\n');
    case 'rule':
      return ['—'];
    case 'quote':
      return listBlockLines(block.children).map((line) => `> ${line}`);
    case 'list':
      return block.items.flatMap((item, at) => {
        const mark = block.isOrdered ? `${block.start + at}. ` : '- ';
        return listBlockLines(item).map((line, row) => (row === 0 ? mark : ' '.repeat(mark.length)) + line);
      });
    case 'table':
      return [block.header, ...block.rows].map((row) =>
        row.map((cell) => splitInlineLines(cell).join(' ')).join(' | '),
      );
  }
}

function splitInlineLines(parts: readonly Inline[]): string[] {
  return renderInlineText(parts, (label, href) => (label === href ? href : `${label} (${href})`)).split('\n');
}

function renderInlineText(parts: readonly Inline[], link: (label: string, href: string) => string): string {
  const renderInlinePart = (part: Inline): string => {
    switch (part.type) {
      case 'text':
      case 'code':
        return part.text;
      case 'break':
        return '\n';
      case 'citation':
        return '';
      case 'link':
        return link(renderInlineText(part.children, link), part.href);
      case 'strong':
      case 'emphasis':
      case 'deleted':
        return renderInlineText(part.children, link);
    }
  };
  return parts.map(renderInlinePart).join('');
}
