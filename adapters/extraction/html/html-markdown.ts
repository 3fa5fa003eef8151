import { load } from 'cheerio';
import TurndownService from 'turndown';
import { gfm } from 'turndown-plugin-gfm';
import { cleanText } from '../clean-text.ts';

/** Matches permalink symbols that documentation generators append to headings. */
const PERMALINK = /^\s*[¶§#🔗]+\s*$/u;
const ignored = 'script,style,noscript,template,svg,canvas,iframe,object,audio,video,button,input,select';

const turndown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
});
turndown.use(gfm);
// People and search read the Markdown as text, in which escapes would only disturb.
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

/** Reads an attribute without the DOM's types, which Node.js lacks. */
function readAttribute(node: object, name: string): string {
  return 'getAttribute' in node && typeof node.getAttribute === 'function'
    ? String(node.getAttribute(name) ?? '')
    : '';
}

/** Converts HTML to GitHub-flavoured Markdown with tables, without scripts, forms, images and relative links. */
export function convertHtmlToMarkdown(html: string): string {
  return cleanText(turndown.turndown(tidyHtml(html)));
}

function tidyHtml(html: string): string {
  const $ = load(html);
  $(ignored).remove();
  $('h1 a,h2 a,h3 a,h4 a,h5 a,h6 a')
    .filter((_index, link) => PERMALINK.test($(link).text()))
    .remove();
  // Elements between a table and its rows prevent its conversion to Markdown.
  $('colgroup,col').remove();
  $('caption').each((_index, caption) => {
    $(caption)
      .closest('table')
      .before(`<p>${$(caption).html() ?? ''}</p>`);
    $(caption).remove();
  });
  $('table').each((_index, table) => {
    // GFM requires a header row and one line per cell.
    const firstRow = $(table).find('tr').first();
    firstRow.children('td').each((_column, cell) => {
      cell.tagName = 'th';
    });
    const blocks = $(table).find('th,td').find('p,div,br,li,h1,h2,h3,h4,h5,h6').get();
    for (const block of blocks.reverse()) $(block).replaceWith(` ${$(block).html() ?? ''} `);
  });
  return $('body').html() ?? '';
}
