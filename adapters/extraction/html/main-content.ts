import { Readability } from '@mozilla/readability';
import { load, type CheerioAPI } from 'cheerio';
import type { AnyNode, Element } from 'domhandler';
import { DOMParser } from 'linkedom';

const MARK = 'data-parley-mark';
const MARKED =
  'address,article,blockquote,dd,details,div,dl,dt,figure,h1,h2,h3,h4,h5,h6,li,main,ol,p,pre,section,table,tbody,td,th,tr,ul';
const HEADING = /^h[1-6]$/;
/** Matches class names and ids of page elements that are not content. */
const NOT_CONTENT =
  /(?:^|[\s_-])(?:ads?|advert\w*|banner|breadcrumbs?|comments?|consent|cookies?|footer|masthead|menu|nav\w*|newsletter|outbrain|pager|pagination|popup|promo\w*|related|share|sharing|sidebar|social|sponsor\w*|subscribe|taboola|teasers?|toc|widget)(?:$|[\s_-])/i;
const HIDDEN = /display\s*:\s*none|visibility\s*:\s*hidden/i;
/** Maximum share of letters in links; a text with more is a list of links, not prose. */
const MAX_LINK_SHARE = 0.4;

/** Marks each block of a page, so that it can be identified in Readability's output. */
export function markBlocks($: CheerioAPI): void {
  $('body')
    .find(MARKED)
    .each((index, element) => {
      $(element).attr(MARK, String(index));
    });
}

/** Removes the marks. */
function removeMarks(html: string): string {
  return html.replaceAll(/ data-parley-mark="\d+"/g, '');
}

/**
 * Returns the main content of a marked page. Readability locates it, but omits short parts: a first paragraph, or a
 * section with one sentence. Neighbouring blocks after the page's heading therefore belong to it, unless they are
 * links, hidden, or named like other things.
 */
export function extractMainContent(html: string): string {
  const document = new DOMParser().parseFromString(html, 'text/html');
  const article = new Readability(document, { maxElemsToParse: 200_000 }).parse();
  const marks = [...(article?.content ?? '').matchAll(/ data-parley-mark="(\d+)"/g)].map(([, n]) =>
    Number(n),
  );
  if (marks.length === 0) return article?.content ?? '';
  const $ = load(html);
  const heading = findMainHeading($);
  const from = heading === undefined ? 0 : readMark(heading);
  const first = findMarkedBlock($, Math.min(from, ...marks));
  const last = findMarkedBlock($, Math.max(from, ...marks));
  if (!first || !last) return removeMarks(article?.content ?? '');
  const root = findCommonAncestor($, first, last);
  prune($, root, { kept: new Set(marks), from });
  return removeMarks($(root).html() ?? '');
}

/** Returns the first heading of the highest level that is part of the content. */
function findMainHeading($: CheerioAPI): Element | undefined {
  const headings = $('h1,h2,h3')
    .get()
    .filter((heading) => !$(heading).parents().get().some(isNotContent));
  const highest = headings.map(({ tagName }) => tagName).sort()[0];
  return headings.find(({ tagName }) => tagName === highest);
}

function findCommonAncestor($: CheerioAPI, first: Element, last: Element): Element {
  const around = new Set<Element>([last, ...$(last).parents().get()]);
  return [first, ...$(first).parents().get()].find((element) => around.has(element)) ?? first;
}

const findMarkedBlock = ($: CheerioAPI, mark: number) =>
  $(`[${MARK}="${mark}"]`).get(0) as Element | undefined;
const readMark = (element: Element) => Number(element.attribs[MARK] ?? Infinity);

interface Content {
  kept: ReadonlySet<number>;
  /** Mark of the heading. Earlier blocks are not content, unless Readability found them. */
  from: number;
}

/** Measures of an element and its descendants. */
interface Measure {
  /** Whether it contains the heading or a block that Readability found. */
  isFound: boolean;
  /** Mark of its last block; negative without a block. */
  lastMark: number;
  letters: number;
  /** Letters in links. */
  linked: number;
}

/** Removes elements that do not belong to the content. Each element is measured once. */
function prune($: CheerioAPI, root: Element, content: Content): void {
  const measures = new Map<Element, Measure>();
  measureElement(root, content, measures);
  const tidy = (element: Element): void => {
    for (const child of listElements(element)) {
      const { isFound, lastMark, letters, linked } = measures.get(child)!;
      if (lastMark < 0) continue; // Inline element of a block.
      const isLinks = linked > letters * MAX_LINK_SHARE && !HEADING.test(child.tagName);
      if (!isFound && (lastMark < content.from || isLinks || isNotContent(child))) $(child).remove();
      else tidy(child);
    }
  };
  tidy(root);
}

function measureElement(element: Element, content: Content, measures: Map<Element, Measure>): Measure {
  const mark = element.attribs[MARK] === undefined ? -1 : readMark(element);
  const whole: Measure = {
    isFound: content.kept.has(mark) || mark === content.from,
    lastMark: mark,
    letters: 0,
    linked: 0,
  };
  for (const child of element.children) {
    if (child.type === 'text') whole.letters += countPageLetters(child.data);
    if (!isElement(child)) continue;
    const part = measureElement(child, content, measures);
    whole.isFound ||= part.isFound;
    whole.lastMark = Math.max(whole.lastMark, part.lastMark);
    whole.letters += part.letters;
    whole.linked += part.linked;
  }
  if (element.tagName === 'a' && element.attribs['href'] !== undefined) whole.linked = whole.letters;
  measures.set(element, whole);
  return whole;
}

const listElements = (element: Element) => element.children.filter(isElement);
const isElement = (node: AnyNode): node is Element => node.type === 'tag';

function isNotContent({ attribs }: Element): boolean {
  const { class: classes = '', id = '', style = '', hidden, 'aria-hidden': ariaHidden } = attribs;
  if (HIDDEN.test(style) || hidden !== undefined || ariaHidden === 'true') return true;
  return NOT_CONTENT.test(classes) || NOT_CONTENT.test(id);
}

const countPageLetters = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '').length;
