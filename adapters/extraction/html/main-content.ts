import { Readability } from '@mozilla/readability';
import { load, type CheerioAPI } from 'cheerio';
import type { Element, ParentNode } from 'domhandler';
import { DOMParser } from 'linkedom';
import { countLetters, isElement, isLink, listElements } from './page-tree.ts';
import { pruneElements } from './prune-elements.ts';

const MARK = 'data-parley-mark';
const MARKED =
  'address,article,blockquote,dd,details,div,dl,dt,figure,h1,h2,h3,h4,h5,h6,li,main,ol,p,pre,section,table,tbody,td,th,tr,ul';
/**
 * Minimum share of the page's text in Readability's result. With less, Readability has missed a part of the
 * content.
 */
const MIN_SHARE = 0.6;
const PROSE = /^(?:p|ul|ol|pre|blockquote)$/;
/** Maximum share of the content that is dropped behind the last block that Readability found in an article. */
const MAX_TAIL_SHARE = 0.25;
const HEADING = /^h[1-6]$/;
/**
 * Matches class names and ids of elements that usually are not content. Navigation is recognized by its links: a
 * menu of a restaurant has none.
 */
const NOT_CONTENT =
  /(?:^|[\s_-])(?:ads?|advert\w*|banner|breadcrumbs?|comments?|consent|cookies?|footer|masthead|newsletter|outbrain|popup|promo\w*|related|share|sharing|sidebar|social|sponsor\w*|subscribe|taboola|teasers?|widget)(?:$|[\s_-])/i;
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
 * menu. If Readability finds less than `MIN_SHARE` of the text, it has missed a part, and the whole body counts.
 * @param isArticle whether the page is an article with a date: what follows its last found block is no content
 */
export function extractMainContent(html: string, isArticle: boolean): string {
  const document = new DOMParser().parseFromString(html, 'text/html');
  const article = new Readability(document, { maxElemsToParse: 200_000 }).parse();
  const marks = [...(article?.content ?? '').matchAll(/ data-parley-mark="(\d+)"/g)].map(([, n]) =>
    Number(n),
  );
  const $ = load(html);
  const heading = findMainHeading($);
  const from = heading === undefined ? 0 : readMark(heading);
  const first = findMarkedBlock(
    $,
    marks.reduce((least, mark) => Math.min(least, mark), from),
  );
  const last = findMarkedBlock(
    $,
    marks.reduce((most, mark) => Math.max(most, mark), from),
  );
  const root = first && last ? findCommonAncestor($, first, last) : $('body').get(0)!;
  const body = $('body').get(0)!;
  const measures = new Map<Element, Measure>();
  measureElement(body, { kept: new Set(marks), from }, measures);
  const isSide = (element: Element): boolean => {
    const { isFound, lastMark, letters, linked } = measures.get(element)!;
    const isLinks = linked > letters * MAX_LINK_SHARE && !HEADING.test(element.tagName);
    return lastMark >= 0 && !isFound && (isLinks || isNotContent(element));
  };
  const countKept = (element: Element): number => {
    if (isSide(element)) return 0;
    const parts = listElements(element).map((child) => countKept(child) - measures.get(child)!.letters);
    return parts.reduce((sum, lost) => sum + lost, measures.get(element)!.letters);
  };
  const keptRoot = countKept(root);
  const keptBody = countKept(body);
  const isWhole = keptRoot >= keptBody * MIN_SHARE;
  const lastFound = marks.reduce((most, mark) => Math.max(most, mark), -Infinity);
  const found = new Set(marks);
  const textParents = new Map<ParentNode, boolean>();
  /** Returns whether the parent directly contains prose that Readability found. Cached: a parent has many children. */
  const isBesideText = ({ parent }: Element): boolean => {
    if (!isElement(parent)) return false;
    const known = textParents.get(parent);
    if (known !== undefined) return known;
    const hasText = listElements(parent).some(
      (sibling) => PROSE.test(sibling.tagName) && found.has(readMark(sibling)),
    );
    textParents.set(parent, hasText);
    return hasText;
  };
  const isAfter = (element: Element): boolean => {
    const { isFound, lastMark } = measures.get(element)!;
    return (
      lastMark > lastFound &&
      !isFound &&
      findFirstMark(element) > lastFound &&
      !isBesideText(element) &&
      $(element).closest('[itemprop=articleBody]').length === 0
    );
  };
  const countTail = (element: Element): number =>
    isAfter(element)
      ? measures.get(element)!.letters
      : listElements(element).reduce((sum, child) => sum + countTail(child), 0);
  const cutsTail = isArticle && isWhole && countTail(root) < keptRoot * MAX_TAIL_SHARE;
  const isBefore = (element: Element) => {
    const { isFound, lastMark } = measures.get(element)!;
    if (cutsTail && isAfter(element)) return true;
    return isWhole && lastMark >= 0 && lastMark < from && !isFound;
  };
  const kept = isWhole ? root : body;
  pruneElements(
    kept,
    (element) => isSide(element) || isBefore(element),
    (element) => element === heading,
  );
  return removeMarks($(kept).html() ?? '');
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
/** Returns the number of the first block in an element; Infinity if it contains no block. */
function findFirstMark(element: Element): number {
  return element.attribs[MARK] === undefined
    ? listElements(element).reduce((first, child) => Math.min(first, findFirstMark(child)), Infinity)
    : readMark(element);
}

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

function measureElement(element: Element, content: Content, measures: Map<Element, Measure>): Measure {
  const mark = element.attribs[MARK] === undefined ? -1 : readMark(element);
  const whole: Measure = {
    isFound: content.kept.has(mark) || mark === content.from,
    lastMark: mark,
    letters: 0,
    linked: 0,
  };
  for (const child of element.children) {
    if (child.type === 'text') whole.letters += countLetters(child.data);
    if (!isElement(child)) continue;
    const part = measureElement(child, content, measures);
    whole.isFound ||= part.isFound;
    whole.lastMark = Math.max(whole.lastMark, part.lastMark);
    whole.letters += part.letters;
    whole.linked += part.linked;
  }
  if (isLink(element)) whole.linked = whole.letters;
  measures.set(element, whole);
  return whole;
}

function isNotContent({ attribs }: Element): boolean {
  const { class: classes = '', id = '' } = attribs;
  return NOT_CONTENT.test(classes) || NOT_CONTENT.test(id);
}
