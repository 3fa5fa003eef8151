import { load, type CheerioAPI } from 'cheerio';
import type { AnyNode } from 'domhandler';
import { cutText } from '../../core/text/cut-text.ts';
import { cleanLine } from '../extraction/clean-text.ts';
import { parsePrimaryLanguage } from '../extraction/extracted-document.ts';
import { keepVisibleContent } from '../extraction/html/visible-content.ts';
import { removeElements } from '../extraction/html/page-tree.ts';
import { decodePage } from '../extraction/html/read-html.ts';
import { removeSiteParts } from '../extraction/html/site-parts.ts';
import { readLinkedData, type LinkedData } from './json-ld.ts';
import { normalizeHost, normalizeLink } from './link-address.ts';
import type { PageSource } from './page-metadata.ts';
import { readStyle, type PageStyle } from './page-style.ts';

interface LabeledLink {
  url: string;
  label: string;
}

/** Parts of a web page that describe its business. */
export interface PageDigest extends Omit<LinkedData, 'entries'> {
  url: string;
  title: string;
  siteName: string;
  description: string;
  language: string | null;
  text: string;
  /** Links of the web page, links in the navigation first. */
  links: LabeledLink[];
  topics: string[];
  /** People and places in the page's structured data that link to the same host. */
  entries: { name: string; category: string; link: string }[];
  style: PageStyle;
}

const MAX_TEXT = 6000;
const MAX_LINE = 300;
const MAX_DESCRIPTION = 2000;
/**
 * Maximum number of characters that are read of an element's text before white space is collapsed. Without
 * this limit, nested elements would each repeat the text of their descendants.
 */
const MAX_ELEMENT_TEXT = 2000;
const MAX_LINKS = 500;
const MAX_TOPICS = 12;
const MAX_QUESTIONS = 20;
const MAX_ENTRIES = 200;
const TOPIC_LENGTH = { min: 3, max: 40 };
const QUESTION_LENGTH = { min: 8, max: 140 };
const NAVIGATION = 'nav a[href], header a[href], [role=navigation] a[href]';
const NO_TOPIC =
  /^(home|start(seite)?|inicio|accueil|menu|menü|log ?in|anmelden|sign (in|up)|english|deutsch|español|français|italiano|nederlands|português|[a-z]{2})$/i;

/**
 * Extracts the parts of a web page that describe its business. A hostile page can take long: see
 * `digestPageInThread`.
 * @throws UnreadableDocument if the page is larger or more deeply nested than Parley reads
 */
export function digestPage({ body, contentType, url }: PageSource): PageDigest {
  const $ = load(decodePage(body, { mimeType: contentType }).text, { scriptingEnabled: false });
  const meta = (selector: string, max: number) =>
    cutText(cleanLine($(selector).first().attr('content') ?? ''), max);
  const { entries, questions, ...data } = readLinkedData(
    $('script[type="application/ld+json"]')
      .toArray()
      .map((element) => $(element).text()),
  );
  const links = listLabeledLinks($, 'a[href]', url);
  const digest = {
    ...data,
    url,
    title: cutText(cleanLine($('title').first().text()), MAX_LINE),
    siteName: meta('meta[property="og:site_name"]', MAX_LINE),
    description:
      meta('meta[name=description]', MAX_DESCRIPTION) ||
      meta('meta[property="og:description"]', MAX_DESCRIPTION),
    language: parsePrimaryLanguage($('html').attr('lang')),
    links,
    mails: [...data.mails, ...listSchemeHrefs($, 'mailto:')],
    phones: [...data.phones, ...listSchemeHrefs($, 'tel:')],
    topics: selectTopics(listLabeledLinks($, NAVIGATION, url)),
    questions: selectQuestions([...questions, ...listElementTexts($, 'h1,h2,h3,h4,h5,summary,dt')]),
    entries: selectSiteEntries(entries, url),
    style: readStyle($, url),
  };
  keepVisibleContent($);
  removeSiteParts($);
  removeElements($('svg,iframe').get());
  return { ...digest, text: collectText($('body').toArray()) };
}

function listLabeledLinks($: CheerioAPI, selector: string, base: string): LabeledLink[] {
  return $(selector)
    .toArray()
    .slice(0, MAX_LINKS)
    .flatMap((element) => {
      const url = normalizeLink($(element).attr('href') ?? '', base);
      return url === null ? [] : [{ url, label: cutText(readElementLine(element), 100) }];
    });
}

function listSchemeHrefs($: CheerioAPI, scheme: string): string[] {
  return $(`a[href^="${scheme}" i]`)
    .toArray()
    .slice(0, 20)
    .map((element) => decodeHref(($(element).attr('href') ?? '').slice(scheme.length).split('?', 1)[0]!))
    .map(cleanLine)
    .filter((value) => value !== '' && value.length <= 320);
}

function decodeHref(text: string): string {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return text.trim();
  }
}

const listElementTexts = ($: CheerioAPI, selector: string) =>
  $(selector).toArray().slice(0, MAX_LINKS).map(readElementLine);

function readElementLine(element: AnyNode): string {
  let text = '';
  const appendText = (node: AnyNode): void => {
    if (node.type === 'text') text += cutText(node.data, MAX_ELEMENT_TEXT);
    if (!('children' in node)) return;
    for (const child of node.children) {
      if (text.length >= MAX_ELEMENT_TEXT) return;
      appendText(child);
    }
  };
  appendText(element);
  return cleanLine(text);
}

function selectTopics(links: readonly LabeledLink[]): string[] {
  const labels = links
    .map(({ label }) => label)
    .filter(({ length }) => length >= TOPIC_LENGTH.min && length <= TOPIC_LENGTH.max)
    .filter((label) => !NO_TOPIC.test(label));
  return [...new Set(labels)].slice(0, MAX_TOPICS);
}

function selectQuestions(texts: readonly string[]): string[] {
  const questions = texts.filter(
    (text) => /[?？]$/.test(text) && text.length >= QUESTION_LENGTH.min && text.length <= QUESTION_LENGTH.max,
  );
  return [...new Set(questions)].slice(0, MAX_QUESTIONS);
}

function selectSiteEntries(entries: LinkedData['entries'], base: string): PageDigest['entries'] {
  const found: PageDigest['entries'] = [];
  const host = normalizeHost(base);
  for (const { name, category, href } of entries) {
    if (found.length >= MAX_ENTRIES) break;
    const link = normalizeLink(href, base);
    if (link !== null && normalizeHost(link) === host) found.push({ name, category, link });
  }
  return found;
}

/** Joins the texts of a page's elements, with spaces so that words do not run together. */
function collectText(nodes: readonly AnyNode[]): string {
  const parts: string[] = [];
  let length = 0;
  const collectParts = (node: AnyNode): void => {
    if (length > MAX_TEXT) return;
    if (node.type === 'text') {
      const text = cleanLine(node.data);
      if (text !== '') length += parts.push(text) && text.length + 1;
    } else if ('children' in node) for (const child of node.children) collectParts(child);
  };
  for (const node of nodes) collectParts(node);
  return cutText(parts.join(' '), MAX_TEXT);
}
