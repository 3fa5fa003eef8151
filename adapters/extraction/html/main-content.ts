import { Readability } from '@mozilla/readability';
import { load, type CheerioAPI } from 'cheerio';
import type { Element, ParentNode } from 'domhandler';
import { DOMParser } from 'linkedom';
import {
  isBlock,
  isElement,
  isHeading,
  listElements,
  listWithin,
  measureTree,
  readStart,
  type TextMeasure,
} from './page-tree.ts';
import { pruneElements } from './prune-elements.ts';
import { TEASER_HEADING } from './side-content-rules.ts';

const MARK = 'data-parley-mark';
const MARKED = new Set(
  'address,article,blockquote,dd,details,div,dl,dt,figure,h1,h2,h3,h4,h5,h6,li,main,ol,p,pre,section,table,tbody,td,th,tr,ul'.split(
    ',',
  ),
);
/**
 * Maximum number of a page's elements with which the library Readability is used. Readability needs a quarter
 * of a second for a thousand, and its DOM overflows the stack at a hundred thousand.
 */
const MAX_READABILITY_ELEMENTS = 50_000;
/**
 * Minimum share of the page's text in the result of the library Readability. With less, Readability has
 * missed a part of the content.
 */
const MIN_SHARE = 0.6;
const PROSE = /^(?:p|ul|ol|pre|blockquote)$/;
/**
 * Content of an article after the last block that Readability found is removed, unless it is more than this
 * share of the content.
 */
const MAX_TAIL_SHARE = 0.25;
/**
 * Matches class names and ids of a page's elements that usually are not content. Navigation is recognized by
 * its links: a restaurant's menu has no links.
 */
const NOT_CONTENT =
  /(?:^|[\s_-])(?:ads?|advert\w*|banner|breadcrumbs?|comments?|consent|cookies?|footer|masthead|newsletter|outbrain|popup|promo\w*|related|share|sharing|sidebar|social|sponsor\w*|subscribe|taboola|teasers?|widget)(?:$|[\s_-])/i;
/** Maximum number of headings and labels that are removed at the end of an article. */
const MAX_LAST_LABELS = 3;
const MAX_LABEL_LENGTH = 60;
/** Maximum share of an element's letters in links. An element with more is a list of links, not prose. */
const MAX_LINK_SHARE = 0.4;
/** Maximum letters of a table cell that keeps its links, such as a download. A longer cell may be a menu. */
const MAX_CELL_LETTERS = 60;
/** Number of elements at the start of a table in which its header cells are searched. */
const MAX_ELEMENTS_TO_HEADER = 20;

/**
 * Numbers each block of a page with an attribute, so that the block can be found again in the output of the
 * library Readability.
 */
export function markBlocks($: CheerioAPI): void {
  // Do not search below `body` by a selector, which takes quadratic time in the number of its children.
  const blocks = listWithin($('body').get(0)!, Infinity).filter(({ tagName }) => MARKED.has(tagName));
  for (const [index, block] of blocks.entries()) block.attribs[MARK] = String(index);
}

/** Removes the attributes with which `markBlocks` numbered the blocks of a page. */
function removeMarks(html: string): string {
  return html.replaceAll(/ data-parley-mark="\d+"/g, '');
}

/**
 * Returns the main content of a page whose blocks `markBlocks` has numbered. The library Readability locates
 * it, but omits short paragraphs and sections. So blocks after the main heading are added, unless they are
 * links, hidden, or named like a menu. If Readability finds less than `MIN_SHARE` of the text, it has missed
 * a part, and the whole body counts.
 * @param isArticle whether the page is an article with a date: blocks after the last block that Readability
 * found are not content
 */
export function extractMainContent(html: string, isArticle: boolean): string {
  const $ = load(html);
  const marks = [...findArticle($, html).matchAll(/ data-parley-mark="(\d+)"/g)].map(([, n]) => Number(n));
  const found = new Set(marks);
  const body = $('body').get(0)!;
  const heading = findMainHeading($);
  const from = heading === undefined ? 0 : readMark(heading);
  const first = findMarkedBlock(
    $,
    marks.reduce((min, mark) => Math.min(min, mark), from),
  );
  const last = findMarkedBlock(
    $,
    marks.reduce((max, mark) => Math.max(max, mark), from),
  );
  const root = first && last ? findCommonAncestor($, first, last) : body;
  const measures = new Map<Element, Measure>();
  measureElement(body, { found, from, texts: measureTree(body) }, measures);
  const { keptLetters: keptInRoot } = measures.get(root)!;
  const isWhole = keptInRoot >= measures.get(body)!.keptLetters * MIN_SHARE;
  const lastFound = marks.reduce((max, mark) => Math.max(max, mark), -Infinity);
  const textParents = new Map<ParentNode, boolean>();
  /**
   * Returns whether the element's parent directly contains prose that Readability found. Cached: a parent has
   * many children.
   */
  const hasProseSibling = ({ parent }: Element): boolean => {
    if (!isElement(parent)) return false;
    const cached = textParents.get(parent);
    if (cached !== undefined) return cached;
    const hasText = listElements(parent).some(
      (sibling) => PROSE.test(sibling.tagName) && found.has(readMark(sibling)),
    );
    textParents.set(parent, hasText);
    return hasText;
  };
  const isAfter = (element: Element): boolean => {
    const { isFound, firstMark, lastMark } = measures.get(element)!;
    return (
      lastMark > lastFound &&
      !isFound &&
      firstMark > lastFound &&
      !hasProseSibling(element) &&
      $(element).closest('[itemprop=articleBody]').length === 0
    );
  };
  const countTail = (element: Element): number =>
    isAfter(element)
      ? measures.get(element)!.letters
      : listElements(element).reduce((sum, child) => sum + countTail(child), 0);
  const cutsTail = isArticle && isWhole && countTail(root) < keptInRoot * MAX_TAIL_SHARE;
  const isOutside = (element: Element): boolean => {
    const { isSide, isFound, lastMark } = measures.get(element)!;
    const isBefore = isWhole && lastMark >= 0 && lastMark < from && !isFound;
    return isSide || isBefore || (cutsTail && isAfter(element));
  };
  const content = isWhole ? root : body;
  pruneElements(content, isOutside, (element) => element === heading);
  if (isArticle) removeLastLabels(content, heading);
  return removeMarks($(content).html() ?? '');
}

/**
 * Returns the HTML of the main content that Readability finds; empty if it finds none, or the page is too
 * large.
 */
function findArticle($: CheerioAPI, html: string): string {
  if ($('*').length > MAX_READABILITY_ELEMENTS) return '';
  try {
    const document = new DOMParser().parseFromString(html, 'text/html');
    return new Readability(document).parse()?.content ?? '';
  } catch (error) {
    // The parser of Readability creates a text node for each entity and passes all nodes of an element to one
    // call, which overflows the stack.
    if (error instanceof RangeError) return '';
    throw error;
  }
}

/** Removes headings and labels at the end of an article, that no longer have text below them. */
function removeLastLabels(content: Element, mainHeading: Element | undefined): void {
  for (let remaining = MAX_LAST_LABELS; remaining > 0; remaining -= 1) {
    const last = findLastBlock(content);
    if (!last || last === content || last === mainHeading || !isLabel(last)) return;
    pruneElements(
      content,
      (element) => element === last,
      (element) => element === mainHeading,
    );
  }
}

/** Returns whether a block is a heading, or a line that announces the text below it. */
function isLabel(block: Element): boolean {
  if (isHeading(block)) return true;
  const text = readStart(block, MAX_LABEL_LENGTH + 1);
  return text.length <= MAX_LABEL_LENGTH && (text.endsWith(':') || TEASER_HEADING.test(text));
}

/** Returns the innermost block around the last text of an element. */
function findLastBlock(element: Element): Element | undefined {
  for (const child of element.children.toReversed()) {
    if (child.type === 'text' && child.data.trim()) return element;
    const last = isElement(child) ? findLastBlock(child) : undefined;
    if (last) return last === child && !isBlock(last) ? element : last;
  }
  return undefined;
}

/** Returns the main heading of a page's content: the first heading of the highest level. */
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
  /** Numbers of the page's blocks that the library Readability found. */
  found: ReadonlySet<number>;
  /** Number of the main heading's block. Blocks before it count as content only if Readability found them. */
  from: number;
  /** Number of letters of each element of the page. */
  texts: ReadonlyMap<Element, TextMeasure>;
}

/** Totals of an HTML element and its descendants, by which it counts as main content or side content. */
interface Measure extends TextMeasure {
  /** True if the element contains the main heading or a block that Readability found. */
  isFound: boolean;
  /**
   * True if the element contains no block that Readability found, and its links or names are typical of side
   * content.
   */
  isSide: boolean;
  /** Number of the page's first block within the HTML element; Infinity if it contains no block. */
  firstMark: number;
  /** Number of the page's last block within the HTML element; negative if it contains no block. */
  lastMark: number;
  /** Number of the HTML element's letters outside side content. */
  keptLetters: number;
}

/**
 * Kind of part of a page: a short table cell, the rest of a table with headers, or the page outside of such
 * tables.
 */
type PagePart = 'cell' | 'table' | 'page';

function measureElement(
  element: Element,
  content: Content,
  measures: Map<Element, Measure>,
  outer: PagePart = 'page',
): Measure {
  const hasMark = element.attribs[MARK] !== undefined;
  const mark = hasMark ? readMark(element) : -1;
  const text = content.texts.get(element)!;
  const elementMeasure: Measure = {
    ...text,
    isFound: content.found.has(mark) || mark === content.from,
    isSide: false,
    firstMark: hasMark ? mark : Infinity,
    lastMark: mark,
    keptLetters: text.letters,
  };
  const place = findPagePart(element, text.letters, outer);
  for (const child of listElements(element)) {
    const part = measureElement(child, content, measures, place);
    elementMeasure.isFound ||= part.isFound;
    if (!hasMark) elementMeasure.firstMark = Math.min(elementMeasure.firstMark, part.firstMark);
    elementMeasure.lastMark = Math.max(elementMeasure.lastMark, part.lastMark);
    elementMeasure.keptLetters -= part.letters - part.keptLetters;
  }
  elementMeasure.isSide = isSideContent(element, elementMeasure, place);
  if (elementMeasure.isSide) elementMeasure.keptLetters = 0;
  measures.set(element, elementMeasure);
  return elementMeasure;
}

/**
 * Returns whether an element is side content: it contains blocks, none of which Readability found, and looks
 * like a menu.
 */
function isSideContent(element: Element, { isFound, lastMark, letters, linked }: Measure, place: PagePart) {
  if (isFound || lastMark < 0) return false;
  const isMenu = linked > letters * MAX_LINK_SHARE && !isHeading(element) && place !== 'cell';
  return isMenu || isNotContent(element);
}

/**
 * Returns the part of the page to which the content of an element belongs. A table without headers may only
 * arrange the page.
 */
function findPagePart(element: Element, letters: number, outer: PagePart): PagePart {
  if (outer === 'cell') return outer;
  if (element.tagName === 'table') {
    const hasHeaders = listWithin(element, MAX_ELEMENTS_TO_HEADER).some(({ tagName }) => tagName === 'th');
    return hasHeaders ? 'table' : 'page';
  }
  return outer === 'table' && element.tagName === 'td' && letters <= MAX_CELL_LETTERS ? 'cell' : outer;
}

function isNotContent({ attribs }: Element): boolean {
  const { class: classes = '', id = '' } = attribs;
  return NOT_CONTENT.test(classes) || NOT_CONTENT.test(id);
}
