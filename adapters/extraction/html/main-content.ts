import { Readability } from '@mozilla/readability';
import { load, type CheerioAPI } from 'cheerio';
import type { AnyNode, Element } from 'domhandler';
import { DOMParser } from 'linkedom';

const MARK = 'data-parley-mark';
const MARKED =
  'address,article,blockquote,dd,details,div,dl,dt,figure,h1,h2,h3,h4,h5,h6,li,main,ol,p,pre,section,table,tbody,td,th,tr,ul';
const HEADING = /^h[1-6]$/;
/** Matches class names and ids of elements that usually are not content, such as menus. */
const NOT_CONTENT =
  /(?:^|[\s_-])(?:ads?|advert\w*|banner|breadcrumbs?|comments?|consent|cookies?|footer|masthead|menu|nav\w*|newsletter|outbrain|pager|pagination|popup|promo\w*|related|share|sharing|sidebar|social|sponsor\w*|subscribe|taboola|teasers?|toc|widget)(?:$|[\s_-])/i;
/** Maximum share of letters in links; an element with more is a list of links, not prose. */
const MAX_LINK_SHARE = 0.4;

/** Numbers each block of a page by an attribute, so that it can be found again in Readability's output. */
export function markBlocks($: CheerioAPI): void {
  $('body')
    .find(MARKED)
    .each((index, element) => {
      $(element).attr(MARK, String(index));
    });
}

/** Removes the attributes that `markBlocks` added. */
function removeMarks(html: string): string {
  return html.replaceAll(/ data-parley-mark="\d+"/g, '');
}

/**
 * Returns the main content of a page after `markBlocks`. Readability locates it, but omits short paragraphs
 * and sections. So blocks after the main heading are added, unless they are links, hidden, or named like a
 * menu.
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

/** Returns the first of the highest-level headings in the content. */
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
  /** Number of the main heading's block. Earlier blocks are only content if Readability found them. */
  from: number;
}

/** Totals of an element and its descendants. */
interface Measure {
  /** True if the element contains the main heading or a block that Readability found. */
  isFound: boolean;
  /** Number of the last block in the element; negative if it contains no block. */
  lastMark: number;
  letters: number;
  /** Number of letters inside links. */
  linked: number;
}

/** Removes elements that do not belong to the content. Measures each element only once. */
function prune($: CheerioAPI, root: Element, content: Content): void {
  const measures = new Map<Element, Measure>();
  measureElement(root, content, measures);
  const tidy = (element: Element): void => {
    for (const child of listElements(element)) {
      const { isFound, lastMark, letters, linked } = measures.get(child)!;
      if (lastMark < 0) continue; // Keeps inline elements, which are part of a block.
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
  const { class: classes = '', id = '' } = attribs;
  return NOT_CONTENT.test(classes) || NOT_CONTENT.test(id);
}

const countPageLetters = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '').length;
