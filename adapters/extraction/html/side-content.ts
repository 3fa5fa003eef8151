import type { CheerioAPI } from 'cheerio';
import type { Element } from 'domhandler';
import { pruneElements } from './prune-elements.ts';
import {
  isElement,
  isLink,
  listAllParents,
  listElements,
  listParents,
  listWithin,
  measureTree,
  readNames,
  type TextMeasure,
} from './page-tree.ts';

/** An element of a page as the rules see it. */
interface Part extends TextMeasure {
  element: Element;
}

/** A kind of side content. An element that meets all conditions of a rule is removed. */
interface Rule {
  name: string;
  /** Why such elements are no content. */
  why: string;
  /** Names in the element's classes and id. */
  names?: RegExp;
  /** Further condition. */
  isSide?: (part: Part) => boolean;
  /** Whether the rule holds only for articles with a date, such as news and posts. */
  isForArticles?: boolean;
  /** Maximum share of the page's letters in the element. A larger one holds the content, whatever its name. */
  maxShare?: number;
}

const DEFAULT_MAX_SHARE = 0.4;

const isShort = (maxLetters: number) => (part: Part) => part.letters <= maxLetters;
const hasLinks = (minShare: number) => (part: Part) =>
  part.linked > 0 && part.linked >= part.letters * minShare;

/** Rules in order; the first that applies to an element decides. Tuned on half of a public set of pages. */
const SIDE_CONTENT: readonly Rule[] = [
  {
    name: 'comments',
    maxShare: 1,
    why: 'Visitors of the page wrote them, so the site does not answer for them.',
    names:
      / (?:no ?comments?|comments?|commentlist|commentform|respond|disqus|kommentare?|comentarios?|commentaires?) /,
  },
  {
    name: 'teasers',
    why: 'They belong to other pages, to which they link. A teaser without links is the introduction of this page.',
    names:
      / (?:related|relatedposts|recommended|recommendations?|\w*teaser\w*|popular|trending|most ?read|meist\w*|outbrain|taboola|yarpp|wpp|plista|ligatus|(?:more|latest|recent|other|next) ?(?:posts?|news|articles?|stories)) /,
    isSide: hasLinks(0.02),
  },
  {
    name: 'share',
    why: 'They send the page to social networks.',
    names: / (?:share|shares|sharing|sharedaddy|socials?|sociable|addthis|addtoany|shariff) /,
    isSide: isShort(300),
  },
  {
    name: 'authors',
    why: 'They say who wrote the page, not what it is about.',
    names: / (?:authors?|byline|bylines|saboxplugin|vcard|autor|autoren) /,
    isSide: isShort(800),
  },
  {
    name: 'sidebars',
    maxShare: 1,
    why: 'They stand beside the content, and are the same on many pages.',
    names:
      / (?:sidebars?|right ?(?:bar|rail|sidebar)|widget ?area|widget (?:recent|hu|archives?|categories|tag|search|meta|rss)\w*) /,
  },
  {
    name: 'navigation',
    why: 'It leads to other pages. A menu of a restaurant has no links.',
    names: / (?:nav|navi|navigation|navbar|subnav|submenu|menu|pager|pagination|paging|prev|toc) /,
    isSide: hasLinks(0.4),
  },
  {
    name: 'promotion',
    why: 'Advertisements and newsletters answer no question about the page.',
    names:
      / (?:ads?|adv|advert\w*|anzeigen?|newsletters?|subscribe|subscriptions?|signup|promos?|sponsor(?:ed|s)?|donate|donations?|paywall|pum|popmake|app ?stores?|affiliate\w*|(?:editorial|affiliate) ?disclosure) /,
    isSide: isShort(1500),
  },
  {
    name: 'consent',
    why: 'Requests for consent are the same on every page.',
    names: / (?:cookies?|cookie ?\w*|consent|gdpr|privacy ?embed|third ?party) /,
    isSide: isShort(3000),
  },
  {
    name: 'footer',
    maxShare: 1,
    why: 'Headers and footers of the site are the same on every page.',
    names: / (?:footer|colophon|copyrights?|masthead|site ?(?:header|description|name|branding)) /,
  },
  {
    name: 'meta',
    why: 'Dates, tags and credits describe the article.',
    names:
      / (?:(?:post|entry|article|blog|news|node|story|content) ?(?:meta|date|info)|postmetadata|dateline|timestamp|published|updated|pub ?date|reading ?time|tags|tag ?(?:list|cloud|links)|credits?|back ?to ?top|scroll ?top) /,
    isSide: (part) => isShort(300)(part) || hasLinks(0.4)(part),
  },
  {
    name: 'breadcrumbs',
    why: 'They are the path to the page.',
    names: / bread ?crumbs? /,
    isSide: isShort(300),
  },
  {
    name: 'dates',
    why: 'The date of an article stands alone, not in a sentence.',
    isForArticles: true,
    isSide: ({ element, letters }) =>
      element.tagName === 'time' &&
      letters <= 40 &&
      isElement(element.parent) &&
      !/^(?:p|li|td|dd)$/.test(element.parent.tagName),
  },
  {
    name: 'calls to action',
    why: 'They advertise other pages.',
    isForArticles: true,
    names: / cta /,
    isSide: isShort(600),
  },
  {
    name: 'captions by name',
    why: 'Captions describe photos, which Parley does not read.',
    isForArticles: true,
    names:
      / (?:caption|captions|legend|legende|bildunterschrift|bilduntertitel|image ?(?:description|subtitle|copyright|credit)|img ?description|photo ?(?:caption|credits?)) /,
    isSide: isShort(300),
  },
  {
    name: 'captions by element',
    why: 'Captions describe photos, which Parley does not read.',
    isForArticles: true,
    isSide: ({ element, letters }) => element.tagName === 'figcaption' && letters < 400,
  },
  {
    name: 'link paragraphs',
    why: 'Paragraphs of one link lead to other articles.',
    isForArticles: true,
    isSide: ({ element, letters, linked }) =>
      /^(?:p|h[2-6]|blockquote)$/.test(element.tagName) &&
      !listParents(element, 2).some(({ tagName }) => /^(?:li|dd|td|th)$/.test(tagName)) &&
      letters >= 15 &&
      linked > 0 &&
      (linked >= letters * 0.95 || isLabelledLink(element)),
  },
  {
    name: 'forms',
    why: 'Labels of fields answer no question. Forms of shops, without fields for words, hold sizes and prices.',
    isSide: ({ element, letters }) => element.tagName === 'form' && letters <= 1500 && hasField(element),
  },
];
/** Types of fields that visitors fill in with words. */
const WORD_FIELD = /^(?:|text|email|tel|password|search|url)$/;
/** Minimum number of letters that the rules leave. */
const MIN_LETTERS = 250;
/** Minimum share of the page's letters that the rules leave. */
const MIN_SHARE = 0.1;

/**
 * Removes comments, teasers, navigation and other side content. Keeps the largest of them if too little would
 * be left: such a page consists of what the rules take for side content.
 * @param isArticle whether the page is an article with a date
 */
export function removeSideContent($: CheerioAPI, isArticle: boolean): void {
  const body = $('body').get(0)!;
  const measures = measureTree(body);
  const whole = measures.get(body)!;
  const content = listContent($);
  const found: Part[] = [];
  const rules = SIDE_CONTENT.filter(({ isForArticles }) => isArticle || !isForArticles);
  const isSidePart = (part: Part): boolean => {
    const partNames = readNames(part.element);
    return rules.some(
      ({ names, isSide, maxShare = DEFAULT_MAX_SHARE }) =>
        part.letters <= whole.letters * maxShare &&
        (names?.test(partNames) ?? true) &&
        (isSide?.(part) ?? true),
    );
  };
  const visit = (element: Element): void => {
    for (const child of listElements(element)) {
      const part: Part = { element: child, ...measures.get(child)! };
      if (!content.has(child) && part.letters > 0 && isSidePart(part)) found.push(part);
      else visit(child);
    }
  };
  visit(body);
  let left = whole.letters - found.reduce((sum, { letters }) => sum + letters, 0);
  const removed = new Set<Element>();
  for (const part of found.toSorted((a, b) => b.letters - a.letters)) {
    if (left < Math.max(MIN_LETTERS, whole.letters * MIN_SHARE) && part.letters > left) {
      left += part.letters;
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

/** Returns whether a paragraph is a link behind a label, such as "Read more: …". */
function isLabelledLink(element: Element): boolean {
  const label = listWithin(element, 40)
    .filter((part) => ![...listParents(part), part].some(isLink))
    .flatMap(({ children }) => children.flatMap((child) => (child.type === 'text' ? [child.data] : [])))
    .join('')
    .trim();
  return /^[^:.!?]{3,50}[:>»]\W*$/.test(label);
}

/** Returns the main content and the elements around it, which no rule removes. */
function listContent($: CheerioAPI): Set<Element> {
  const headings = $('h1').get();
  const content = [
    ...$('main,[role=main],[itemprop=articleBody]').get(),
    ...(headings.length === 1 ? headings : []),
  ];
  return new Set([...content, ...listAllParents(content)]);
}

/** Returns whether an element is or contains a field that visitors fill in with words. */
function hasField(element: Element): boolean {
  const { tagName, attribs } = element;
  const isField = tagName === 'textarea' || (tagName === 'input' && WORD_FIELD.test(attribs['type'] ?? ''));
  return isField || listElements(element).some(hasField);
}

/** Types of structured data whose pages are no articles, even if they hold reviews with a date. */
const OTHER_TYPE =
  /"@type"\s*:\s*\[?\s*"(?:Product\w*|FAQPage|QAPage|HowTo|Event|Service|LocalBusiness|\w*Store|Restaurant)"/;
const ARTICLE_TYPE = /"@type"\s*:\s*\[?\s*"(?:\w*Article|BlogPosting|LiveBlogPosting|Report)"/;
const OTHER_ITEM =
  '[itemtype$="/Product"],[itemtype$="/FAQPage"],[itemtype$="/QAPage"],meta[property="og:type"][content^=product]';
const ARTICLE_SIGN =
  'meta[property="article:published_time"],time[pubdate],.hentry,.single-post,[itemtype$=Article],[itemtype$=BlogPosting]';

/** Returns whether a page is an article with a date, by its structured data and marks of blogs. */
export function isDatedArticle($: CheerioAPI): boolean {
  const data = $('script[type="application/ld+json"]').text();
  if (OTHER_TYPE.test(data) || $(OTHER_ITEM).length > 0) return false;
  const isDated = $('[itemprop=datePublished]')
    .get()
    .some((date) => $(date).closest('[itemtype$=Review],[itemtype$=Comment],[itemprop=review]').length === 0);
  return isDated || ARTICLE_TYPE.test(data) || $(ARTICLE_SIGN).length > 0;
}
