import { load, type CheerioAPI } from 'cheerio';
import { isText, Text, type AnyNode, type Element } from 'domhandler';
import TurndownService from 'turndown';
import { gfm } from 'turndown-plugin-gfm';
import { cleanText } from '../clean-text.ts';
import { isPublicLink } from '../public-link.ts';
import { readMathMl } from '../office/mathml.ts';
import { BASE_CHARS, writePositioned } from '../raised-text.ts';
import type { XmlElement } from '../xml-tree.ts';
import { tidyTables } from './html-tables.ts';
import { isBlock, isElement, listElements, removeElements, setChildren } from './page-tree.ts';

/** Matches permalink symbols, which documentation generators append to headings. */
const PERMALINK = /^\s*[¶§#🔗]+\s*$/u;
/** Maximum depth of nested elements in an equation. */
const MAX_EQUATION_DEPTH = 100;
const ignored = 'script,style,noscript,template,svg,canvas,iframe,object,audio,video,button,input,select';

const turndown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
});
turndown.use(gfm);
// Do not escape special characters: people and search read the result as text, in which backslashes would be
// visible.
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
    return text && text !== target && isPublicLink(target) ? `[${text}](${target})` : content;
  },
});

/** Reads an attribute of a DOM node. Node.js has no DOM types. */
function readAttribute(node: object, name: string): string {
  return 'getAttribute' in node && typeof node.getAttribute === 'function'
    ? String(node.getAttribute(name) ?? '')
    : '';
}

/**
 * Converts HTML to GitHub-flavored Markdown with tables. Omits scripts, forms, images and relative links.
 */
export function convertHtmlToMarkdown(html: string): string {
  return cleanText(turndown.turndown(tidyHtml(html)));
}

function tidyHtml(html: string): string {
  const $ = load(html);
  removeElements($(ignored).get());
  const links = $('h1 a,h2 a,h3 a,h4 a,h5 a,h6 a').get();
  removeElements(links.filter((link) => PERMALINK.test($(link).text())));
  writeEquations($);
  writePositionedText($);
  tidyTables($);
  tidyDetails($);
  return $('body').html() ?? '';
}

/** Writes the equations of a page (MathML) as text. Omits the copy that KaTeX adds to each equation. */
function writeEquations($: CheerioAPI): void {
  removeElements($('.katex:has(math) > .katex-html').get());
  for (const math of $('math').get()) {
    setChildren(math, [new Text(readMathMl(toXmlElement(math)))]);
    math.tagName = 'span';
    math.attribs = {};
  }
}

/**
 * Converts an HTML element of an equation to XML. Omits elements that are nested more deeply than equations
 * are.
 */
function toXmlElement({ tagName, attribs, children }: Element, depth = 0): XmlElement {
  const content = depth > MAX_EQUATION_DEPTH ? [] : children;
  return {
    name: tagName,
    attributes: attribs,
    children: content.flatMap((child): XmlElement['children'] =>
      isElement(child) ? [toXmlElement(child, depth + 1)] : isText(child) ? [child.data] : [],
    ),
  };
}

/** Writes exponents, indexes and footnote marks of a page as Unicode characters. */
function writePositionedText($: CheerioAPI): void {
  for (const element of $('sup,sub').get().toReversed()) {
    if ($(element).closest('pre').length > 0) continue;
    const [link, ...others] = $(element).find('a').get();
    const content = $(link ?? element);
    if (others.length > 0 || content.text().trim() !== $(element).text().trim()) continue;
    const position = element.tagName === 'sup' ? 'raised' : 'lowered';
    const written = writePositioned(readTextBefore(element), content.text(), position);
    if (written !== content.text()) content.text(written);
  }
}

/** Returns the end of the text that comes before a node in the same block of the page. */
function readTextBefore(node: AnyNode): string {
  let text = '';
  for (let at: AnyNode | null = node; at && text.length < BASE_CHARS;) {
    if (at.prev) {
      at = at.prev;
      while ('children' in at && at.children.length > 0) at = at.children.at(-1)!;
      if (isText(at)) text = at.data + text;
      if (isElement(at) && (isBlock(at) || at.name === 'br')) break;
    } else {
      at = at.parent;
      if (!isElement(at) || isBlock(at)) break;
    }
  }
  return text.slice(-BASE_CHARS);
}

/**
 * Makes the summary of a `details` element a paragraph of its own, unless it contains a paragraph or heading.
 */
function tidyDetails($: CheerioAPI): void {
  for (const summary of $('summary').get())
    summary.tagName = listElements(summary).some(isBlock) ? 'div' : 'p';
  for (const details of $('details').get()) details.tagName = 'div';
}
