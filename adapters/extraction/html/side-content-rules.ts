import type { Element } from 'domhandler';
import {
  findSibling,
  findHeadingAbove,
  isElement,
  isHeading,
  isLink,
  listElements,
  listParents,
  listWithin,
  readStart,
  type TextMeasure,
} from './page-tree.ts';

/** Properties of an HTML element that the rules for side content use. */
export interface Part extends TextMeasure {
  element: Element;
  /** Beginning of the HTML element's text. */
  start: string;
}

/** Rule that recognizes a kind of side content. An element that meets all conditions of a rule is removed. */
export interface Rule {
  name: string;
  /** Reason why elements that the rule removes are not content. */
  why: string;
  /** Names in the element's classes and id that meet the rule. */
  names?: RegExp;
  /** Text at the beginning of the element that meets the rule. */
  starts?: RegExp;
  /** Condition that an element must meet in addition to the other properties of the rule. */
  isSide?: (part: Part) => boolean;
  /** True if the rule applies only to articles with a date, such as news and posts. */
  isForArticles?: boolean;
  /**
   * Maximum share of the page's letters in the element. A larger element is the content regardless of its name.
   */
  maxShare?: number;
}

export const DEFAULT_MAX_SHARE = 0.4;
/** Maximum number of teasers (short previews of other pages) below one heading. */
const MAX_TEASERS = 20;

const isShort = (maxLetters: number) => (part: Part) => part.letters <= maxLetters;
/** Number of characters at the beginning of an element's text that the rules compare. */
export const START_LENGTH = 60;
/** Matches headings of lists of other pages, such as related articles. */
export const TEASER_HEADING =
  /^(?:(?:more|related|recommended|latest|popular) (?:articles?|content|news|posts?|stories|topics)|related|read (?:more|also|next)|recommended for you|more from|you (?:may|might) (?:also )?(?:like|be interested)|most (?:read|popular)|(?:noch )?mehr (?:aus|von|zum thema|artikel|beiträge|meldungen|kolumnen)|alle (?:artikel|beiträge|meldungen) (?:zu|von|aus)|aktuelle (?:artikel|beiträge|meldungen)|zum weiterlesen|weiterführende[rn]? links?|(?:weitere|ähnliche|verwandte) (?:artikel|beiträge|themen|meldungen|news|nachrichten)|lesen sie (?:auch|mehr)|das könnte (?:sie|dich)|auch interessant|schon gelesen|empfehlungen (?:aus|der|für)|meistgelesen|articles? (?:liés?|similaires?|connexes?)|(?:à )?lire (?:aussi|également)|sur le même (?:sujet|thème)|(?:zobacz|czytaj|przeczytaj) (?:też|także|również|więcej)|polecane (?:artykuły|dla)|(?:artículos|notas|noticias|temas) relacionad[oa]s|te puede interesar|veja (?:também|mais)|leia (?:também|mais)|lee también|leggi anche|articoli correlati|lees (?:ook|meer)|gerelateerde)(?![\p{L}\p{N}])/iu;
const COMMENTS_HEADING =
  /^(?:\d+ (?:comments?|kommentare?|commentaires?|comentarios?|commenti|reacties|komentarz[ey]?)|(?:comments?|kommentare?|commentaires?|comentarios?|commenti|reacties|komentarze) \(\d+\))(?![\p{L}\p{N}])/iu;

const hasLinks = (minShare: number) => (part: Part) =>
  part.linked > 0 && part.linked >= part.letters * minShare;

/**
 * Rules that recognize side content of web pages, in order; the first that applies to an element decides.
 * Tuned on half of a public set of pages.
 */
export const SIDE_CONTENT: readonly Rule[] = [
  {
    name: 'comments',
    maxShare: 1,
    why: 'Visitors to the page wrote them, so they do not speak for the website.',
    names:
      / (?:no ?comments?|comments?|commentlist|commentform|respond|disqus|kommentare?|comentarios?|commentaires?) /,
  },
  {
    name: 'teasers',
    why: 'They describe other pages and link to them. A teaser without links introduces this page.',
    names:
      / (?:related|relatedposts|recommended|recommendations?|\w*teaser\w*|popular|trending|most ?read|meist\w*|outbrain|taboola|yarpp|wpp|plista|ligatus|(?:more|latest|recent|other|next) ?(?:posts?|news|articles?|stories)) /,
    isSide: hasLinks(0.02),
  },
  {
    name: 'teasers by heading',
    why: 'They describe other pages and link to them.',
    isSide: (part) => {
      if (!hasLinks(0.5)(part)) return false;
      if (TEASER_HEADING.test(part.start)) return true;
      const heading = findHeadingAbove(part.element, MAX_TEASERS);
      return heading !== undefined && TEASER_HEADING.test(readStart(heading, START_LENGTH));
    },
  },
  {
    name: 'headings of teasers',
    why: 'They stand above links to other pages.',
    isForArticles: true,
    starts: TEASER_HEADING,
    isSide: ({ element, letters }) => letters <= 45 && (isHeading(element) || isLine(element)),
  },
  {
    name: 'comments by heading',
    maxShare: 0.9,
    why: 'Visitors to the page wrote them, so they do not speak for the website.',
    starts: COMMENTS_HEADING,
    isSide: ({ element }) => /^(?:div|section|aside|ol|ul)$/.test(element.tagName),
  },
  {
    name: 'requests to sign in',
    why: 'They tell visitors how to comment on the page.',
    starts:
      /(?:log ?in|logged in|sign ?in|eingeloggt|angemeldet|anmelden|einloggen|connecté|zaloguj|zalogowan\w).{0,40}(?:comment|kommentar|commentaire|komentarz|komentow)/i,
    isSide: isShort(120),
  },
  {
    name: 'copyright notices',
    why: 'They answer no question about the page.',
    starts:
      /^(?:©|(?:copyright )?\(c\) (?:19|20)\d\d|copyright (?:©|(?:19|20)\d\d)|all rights reserved|alle rechte vorbehalten)/i,
    isSide: isShort(200),
  },
  {
    name: 'buttons',
    why: 'They print the page or lead away from it.',
    starts:
      /^(?:zurück|nach oben|zum seitenanfang|zurück zur (?:übersicht|listenansicht|startseite)|(?:seite|artikel|rezept) drucken|print this (?:page|article)|back to top)$/i,
    isSide: ({ element, letters }) => letters <= 30 && isLine(element),
  },
  {
    name: 'advertisement labels',
    why: 'They stand above advertisements.',
    isForArticles: true,
    starts:
      /^(?:- ?)?(?:anzeige|werbung|reklama|advertisement|publicité|publicidad|pubblicità|advertentie)(?: ?-)?$/i,
    isSide: ({ element, letters }) => letters <= 30 && isLine(element),
  },
  {
    name: 'notes about the page',
    why: 'They say when the page was published, or lead to its comments.',
    isForArticles: true,
    starts:
      /^(?:(?:dieser|diese|dieses) (?:eintrag|beitrag|text|artikel|seite) wurde (?:veröffentlicht|am|unter|zuletzt)|this (?:entry|post|article) was (?:posted|published|last)|(?:zuletzt )?aktualisiert (?:am|:)|(?:page )?last (?:updated|modified)|letzte (?:aktualisierung|änderung)|(?:view|show|hide|post a|leave a) (?:comments?|reply)|kommentieren$|kommentar (?:schreiben|verfassen)|permal(?:ink|ien)|externer inhalt$)/i,
    isSide: ({ element, letters }) => letters <= 150 && isLine(element),
  },
  {
    name: 'categories',
    why: 'They lead to lists of other pages.',
    isForArticles: true,
    starts: /^(?:categor(?:y|ies)|kategorien?|tags?|schlagw[oö]rter|filed under|posted in)\s?:/i,
    isSide: isShort(120),
  },
  {
    name: 'share',
    why: 'They share the page on social networks.',
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
    why: 'They are next to the content, and are the same on many pages.',
    names:
      / (?:sidebars?|right ?(?:bar|rail|sidebar)|widget ?area|widget (?:recent|hu|archives?|categories|tag|search|meta|rss)\w*) /,
  },
  {
    name: 'navigation',
    why: 'It links to other pages. A list of dishes, also called a menu, has no links and stays.',
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
    why: 'They show the path to the page within the website.',
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
    name: 'written dates',
    why: 'The date of an article stands alone, not in a sentence.',
    isForArticles: true,
    starts:
      /^(?:datum:? ?|am |on )?(?:\d{1,2}[./-] ?(?:\d{1,2}[./-] ?|\p{L}{3,9} )\d{2,4}|\p{L}{3,9} \d{1,2}, \d{4}|\d{4}-\d\d-\d\d)(?:[,|–-]? ?\d{1,2}[:.]\d\d(?: ?uhr| ?[ap]m)?)?$/iu,
    isSide: ({ element, letters }) => letters <= 30 && isLine(element),
  },
  {
    name: 'captions by text',
    why: 'Captions describe photos, which Parley does not read.',
    isForArticles: true,
    starts:
      /^\(?(?:titelbild|abb(?:ildung|\.) ?\d*|fig(?:ure|\.) ?\d+|foto|fot\.|photo(?: by| credit)?|bild(?:quelle|nachweis)?|image(?: credit)?|source|quelle|źródło|crédits?(?: photos?)?|crédito) ?(?:\d+)? ?[:/|©]/i,
    isSide: ({ element, letters }) => letters <= 150 && isLine(element),
  },
  {
    name: 'signatures',
    why: 'The last line of an article names its author or agency.',
    isForArticles: true,
    isSide: ({ element, letters, start }) =>
      element.tagName === 'p' &&
      letters <= 20 &&
      findSibling(element, 'next') === undefined &&
      findSibling(element, 'prev')?.tagName === 'p' &&
      /^[\p{L}\p{N} /,()-]+$/u.test(start),
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
    why: 'A paragraph that is only a link leads to another article.',
    isForArticles: true,
    isSide: ({ element, letters, linked }) =>
      /^(?:p|h[2-6]|blockquote)$/.test(element.tagName) &&
      !listParents(element, 2).some(({ tagName }) => /^(?:li|dd|td|th)$/.test(tagName)) &&
      letters >= 15 &&
      linked > 0 &&
      (linked >= letters * 0.95 || isLabeledLink(element)),
  },
  {
    name: 'forms',
    why: 'Labels of form fields answer no question. A shop’s form without text fields stays, because it lists sizes and prices.',
    isSide: ({ element, letters }) => element.tagName === 'form' && letters <= 1500 && hasField(element),
  },
];
/** Matches types of form fields that visitors fill in with words. */
const WORD_FIELD = /^(?:|text|email|tel|password|search|url)$/;

/** Returns whether an HTML element is a separate line, and not part of a sentence, list or table. */
function isLine(element: Element): boolean {
  return (
    /^(?:p|div|span|a|small|b|strong|em|button)$/.test(element.tagName) &&
    !listParents(element, 3).some(({ tagName }) => /^(?:li|td|th|dd|dt)$/.test(tagName)) &&
    isElement(element.parent) &&
    (element.parent.tagName !== 'p' || listElements(element.parent).length === 1)
  );
}

/** Returns whether a paragraph is a link after a label, such as "Read more: …". */
function isLabeledLink(element: Element): boolean {
  const label = listWithin(element, 40)
    .filter((part) => ![...listParents(part), part].some(isLink))
    .flatMap(({ children }) => children.flatMap((child) => (child.type === 'text' ? [child.data] : [])))
    .join('')
    .trim();
  return /^[^:.!?]{3,50}[:>»]\W*$/.test(label);
}

/** Returns whether an HTML element is or contains a field that visitors fill in with words. */
function hasField(element: Element): boolean {
  const { tagName, attribs } = element;
  const isField = tagName === 'textarea' || (tagName === 'input' && WORD_FIELD.test(attribs['type'] ?? ''));
  return isField || listElements(element).some(hasField);
}
