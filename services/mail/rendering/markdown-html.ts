import { parseBlocks, type Block } from '../../../browser/markdown-blocks.ts';
import type { Inline } from '../../../browser/markdown-inline.ts';
import { toSafeLink } from '../../../browser/safe-link.ts';
import { escapeHtml } from '../../../core/text/escape-html.ts';

/** Converts Markdown to the HTML of an email. HTML tags in the text are escaped. */
export function toMarkdownHtml(text: string): string {
  return blocksHtml(parseBlocks(text.replace(/\r\n?/g, '\n')).blocks);
}

function blocksHtml(blocks: readonly Block[]): string {
  return blocks.map(blockHtml).join('');
}

function blockHtml(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return `<p>${inlineHtml(block.children)}</p>`;
    case 'heading': {
      const tag = `h${Math.min(6, block.level + 1)}`;
      return `<${tag}>${inlineHtml(block.children)}</${tag}>`;
    }
    case 'code':
      return `<pre>${escapeHtml(block.text)}</pre>`;
    case 'rule':
      return '<hr />';
    case 'quote':
      return `<blockquote>${blocksHtml(block.children)}</blockquote>`;
    case 'list': {
      const items = block.items.map((item) => `<li>${itemHtml(item)}</li>`).join('');
      return block.isOrdered ? `<ol start="${block.start}">${items}</ol>` : `<ul>${items}</ul>`;
    }
    case 'table':
      return tableHtml(block);
  }
}

/**
 * Omits the paragraph tag of a list item's first paragraph, so that mail clients show the text on the same
 * line as the bullet.
 */
function itemHtml([first, ...rest]: Block[]): string {
  if (!first) return '';
  const begin = first.type === 'paragraph' ? inlineHtml(first.children) : blockHtml(first);
  return begin + blocksHtml(rest);
}

function tableHtml({ header, rows }: Extract<Block, { type: 'table' }>): string {
  const row = (cells: Inline[][], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell) => `<${tag}>${inlineHtml(cell)}</${tag}>`).join('')}</tr>`;
  return `<table>${row(header, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>`;
}

const tags = { strong: 'strong', emphasis: 'em', deleted: 'del' } as const;

function inlineHtml(parts: readonly Inline[]): string {
  return parts.map(partHtml).join('');
}

function partHtml(part: Inline): string {
  switch (part.type) {
    case 'text':
      return escapeHtml(part.text);
    case 'code':
      return `<code>${escapeHtml(part.text)}</code>`;
    case 'break':
      return '<br />';
    case 'citation':
      return `[${part.index}]`;
    case 'link': {
      const address = toSafeLink(part.href);
      const label = inlineHtml(part.children);
      return address === null ? label : `<a href="${escapeHtml(address)}">${label}</a>`;
    }
    case 'strong':
    case 'emphasis':
    case 'deleted':
      return `<${tags[part.type]}>${inlineHtml(part.children)}</${tags[part.type]}>`;
  }
}
