import { h, createExternalLink } from './dom.ts';
import type { Block } from './markdown-blocks.ts';
import type { Inline } from './markdown-inline.ts';

/**
 * Function that renders the citation with this index in an answer; returns null if no such source is known.
 */
export type DrawCitation = (index: number) => Node | null;

/** Renders Markdown blocks as HTML elements. Strings become text nodes, never markup. */
export function renderBlocks(blocks: Block[], citation: DrawCitation): Node[] {
  return blocks.map((block) => renderBlock(block, citation));
}

function renderBlock(block: Block, citation: DrawCitation): Node {
  const inline = (parts: Inline[]) => renderInline(parts, citation);
  switch (block.type) {
    case 'paragraph':
      return h('p', {}, inline(block.children));
    case 'heading':
      return h(`h${Math.min(6, block.level + 2) as 3 | 4 | 5 | 6}`, {}, inline(block.children));
    case 'code':
      return h('pre', { tabindex: 0 }, h('code', {}, block.text));
    case 'rule':
      return h('hr');
    case 'quote':
      return h('blockquote', {}, renderBlocks(block.children, citation));
    case 'list': {
      const items = block.items.map((item) => h('li', {}, renderItem(item, citation)));
      return block.isOrdered ? h('ol', { start: block.start }, items) : h('ul', {}, items);
    }
    case 'table':
      return renderTable(block, inline);
  }
}

/**
 * Renders a Markdown list item. The text of its first paragraph follows the list marker directly, without a
 * `<p>` element.
 */
function renderItem([first, ...rest]: Block[], citation: DrawCitation): Node[] {
  if (!first) return [];
  const begin =
    first.type === 'paragraph' ? renderInline(first.children, citation) : [renderBlock(first, citation)];
  return [...begin, ...renderBlocks(rest, citation)];
}

function renderTable(
  { header, rows }: Extract<Block, { type: 'table' }>,
  inline: (parts: Inline[]) => Node[],
): Node {
  const head = h(
    'tr',
    {},
    header.map((cell) => h('th', { scope: 'col' }, inline(cell))),
  );
  const body = rows.map((row) =>
    h(
      'tr',
      {},
      row.map((cell) => h('td', {}, inline(cell))),
    ),
  );
  return h(
    'div',
    { class: 'table', tabindex: 0 },
    h('table', {}, h('thead', {}, head), h('tbody', {}, body)),
  );
}

function renderInline(parts: Inline[], citation: DrawCitation): Node[] {
  return parts.map((part) => renderPart(part, citation));
}

const tags = { strong: 'strong', emphasis: 'em', deleted: 'del' } as const;

function renderPart(part: Inline, citation: DrawCitation): Node {
  switch (part.type) {
    case 'text':
      return document.createTextNode(part.text);
    case 'code':
      return h('code', {}, part.text);
    case 'break':
      return h('br');
    case 'citation':
      return citation(part.index) ?? document.createTextNode(`[${part.index}]`);
    case 'link':
      return createExternalLink(part.href, renderInline(part.children, citation));
    case 'strong':
    case 'emphasis':
    case 'deleted':
      return h(tags[part.type], {}, renderInline(part.children, citation));
  }
}
