import { load } from 'cheerio';
import TurndownService from 'turndown';
import { gfm } from 'turndown-plugin-gfm';
import { cleanText } from '../clean-text.ts';

/** Matches permalink symbols, which documentation generators append to headings. */
const PERMALINK = /^\s*[¶§#🔗]+\s*$/u;
const ignored = 'script,style,noscript,template,svg,canvas,iframe,object,audio,video,button,input,select';

const turndown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
});
turndown.use(gfm);
// Escapes nothing: people and search read the result as text, in which backslashes would be visible.
turndown.escape = (text) => text;
turndown.addRule('imageAsItsDescription', {
  filter: 'img',
  replacement: (_content, node) => readAttribute(node, 'alt'),
});
turndown.addRule('linkWithPublicTarget', {
  filter: 'a',
  replacement: (content, node) => {
    const target = readAttribute(node, 'href');
    const text = content.trim();
    return text && text !== target && /^(?:https?|mailto|tel):/i.test(target)
      ? `[${text}](${target})`
      : content;
  },
});

/** Reads an attribute of a DOM node. Node.js has no DOM types. */
function readAttribute(node: object, name: string): string {
  return 'getAttribute' in node && typeof node.getAttribute === 'function'
    ? String(node.getAttribute(name) ?? '')
    : '';
}

/**
 * Converts HTML to GitHub-flavoured Markdown with tables. Omits scripts, forms, images and relative links.
 */
export function convertHtmlToMarkdown(html: string): string {
  return cleanText(turndown.turndown(tidyHtml(html)));
}

function tidyHtml(html: string): string {
  const $ = load(html);
  $(ignored).remove();
  $('h1 a,h2 a,h3 a,h4 a,h5 a,h6 a')
    .filter((_index, link) => PERMALINK.test($(link).text()))
    .remove();
  // Removes elements between a table and its rows, since they prevent the conversion to Markdown.
  $('colgroup,col').remove();
  $('caption').each((_index, caption) => {
    $(caption)
      .closest('table')
      .before(`<p>${$(caption).html() ?? ''}</p>`);
    $(caption).remove();
  });
  $('table').each((_index, table) => {
    // Makes the first row a header and joins the lines of each cell, as GFM tables require.
    const firstRow = $(table).find('tr').first();
    firstRow.children('td').each((_column, cell) => {
      cell.tagName = 'th';
    });
    const blocks = $(table).find('th,td').find('p,div,br,li,h1,h2,h3,h4,h5,h6').get();
    for (const block of blocks.reverse()) $(block).replaceWith(` ${$(block).html() ?? ''} `);
  });
  return $('body').html() ?? '';
}
