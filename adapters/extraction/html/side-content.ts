import type { CheerioAPI } from 'cheerio';
import type { Element } from 'domhandler';
import { pruneElements } from './prune-elements.ts';
import { listAllParents, listElements, measureTree, readNames, readStart } from './page-tree.ts';
import { DEFAULT_MAX_SHARE, SIDE_CONTENT, START_LENGTH, type Part } from './side-content-rules.ts';

/** Minimum number of a page's letters that must remain after the rules have removed side content. */
const MIN_LETTERS = 250;
/** Minimum share of a page's letters that must remain after the rules have removed side content. */
const MIN_SHARE = 0.1;

/**
 * Removes comments, teasers, navigation and other side content from a page. If too little text would remain,
 * keeps the largest removed element, since the rules have probably misjudged it.
 * @param isArticle whether the page is an article with a date
 */
export function removeSideContent($: CheerioAPI, isArticle: boolean): void {
  const body = $('body').get(0)!;
  const measures = measureTree(body);
  const bodyMeasure = measures.get(body)!;
  const content = listContent($);
  const found: Part[] = [];
  const rules = SIDE_CONTENT.filter(({ isForArticles }) => isArticle || !isForArticles);
  const isSidePart = (part: Part): boolean => {
    const partNames = readNames(part.element);
    return rules.some(
      ({ names, starts, isSide, maxShare = DEFAULT_MAX_SHARE }) =>
        part.letters <= bodyMeasure.letters * maxShare &&
        (names?.test(partNames) ?? true) &&
        (starts?.test(part.start) ?? true) &&
        (isSide?.(part) ?? true),
    );
  };
  const visit = (element: Element): void => {
    for (const child of listElements(element)) {
      const measure = measures.get(child)!;
      const isCandidate = !content.has(child) && measure.letters > 0;
      const part = isCandidate && { element: child, start: readStart(child, START_LENGTH), ...measure };
      if (part && isSidePart(part)) found.push(part);
      else visit(child);
    }
  };
  visit(body);
  let remainingLetters = bodyMeasure.letters - found.reduce((sum, { letters }) => sum + letters, 0);
  const removed = new Set<Element>();
  for (const part of found.toSorted((a, b) => b.letters - a.letters)) {
    if (
      remainingLetters < Math.max(MIN_LETTERS, bodyMeasure.letters * MIN_SHARE) &&
      part.letters > remainingLetters
    ) {
      remainingLetters += part.letters;
      continue;
    }
    removed.add(part.element);
  }
  pruneElements(
    body,
    (element) => removed.has(element),
    (heading) => content.has(heading),
  );
}

/** Returns the elements of a page that no rule removes: the main content and the elements around it. */
function listContent($: CheerioAPI): Set<Element> {
  const headings = $('h1').get();
  const content = [
    ...$('main,[role=main],[itemprop=articleBody]').get(),
    ...(headings.length === 1 ? headings : []),
  ];
  return new Set([...content, ...listAllParents(content)]);
}

/** Types of structured data whose pages are not articles, even if they contain reviews with a date. */
const OTHER_TYPE =
  /"@type"\s*:\s*\[?\s*"(?:Product\w*|FAQPage|QAPage|HowTo|Event|Service|LocalBusiness|\w*Store|Restaurant)"/;
const ARTICLE_TYPE = /"@type"\s*:\s*\[?\s*"(?:\w*Article|BlogPosting|LiveBlogPosting|Report)"/;
const OTHER_ITEM =
  '[itemtype$="/Product"],[itemtype$="/FAQPage"],[itemtype$="/QAPage"],meta[property="og:type"][content^=product]';
const ARTICLE_SIGN =
  'meta[property="article:published_time"],time[pubdate],.hentry,.single-post,body.single,article.type-post,.node--type-article,.news-single,[itemtype$=Article],[itemtype$=BlogPosting]';
/** Selects the Open Graph type `article`, which sites also give to pages that are not articles. */
const OPEN_GRAPH_ARTICLE = 'meta[property="og:type"][content=article]';
/** Selects a date or author of an article, which are rare on other pages. */
const BYLINE =
  'time[datetime],[rel=author],meta[property="article:author"],meta[property="article:section"],meta[property="article:tag"],.byline,.posted-on,.entry-date,.post-date';
/** Matches names of a page's meta elements with the date of an article. */
const DATE_NAME =
  /^(?:date|pub_?date|publish[-_]?date|publication_date|dc\.date\.issued|parsely-pub-date|sailthru\.date)$/i;

/** Returns whether a page is an article with a date, by its structured data and marks of blogs. */
export function isDatedArticle($: CheerioAPI): boolean {
  const data = $('script[type="application/ld+json"]').text();
  if (OTHER_TYPE.test(data) || $(OTHER_ITEM).length > 0) return false;
  const isDated = $('[itemprop=datePublished]')
    .get()
    .some((date) => $(date).closest('[itemtype$=Review],[itemtype$=Comment],[itemprop=review]').length === 0);
  const hasDateName = () =>
    $('meta[name]')
      .get()
      .some(({ attribs }) => DATE_NAME.test(attribs['name'] ?? ''));
  return (
    isDated ||
    ARTICLE_TYPE.test(data) ||
    $(ARTICLE_SIGN).length > 0 ||
    hasDateName() ||
    ($(OPEN_GRAPH_ARTICLE).length > 0 && $(BYLINE).length > 0)
  );
}
