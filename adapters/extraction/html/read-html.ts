import { load } from 'cheerio';
import { Parser } from 'htmlparser2';
import { cleanLine } from '../clean-text.ts';
import { charsetOf, decodeText } from '../decode-text.ts';
import { primaryLanguage, type ReadResult } from '../extracted-document.ts';
import { extractionLimits } from '../extraction-limits.ts';
import { htmlToMarkdown } from './html-markdown.ts';
import { mainContent, mark } from './main-content.ts';
import { firstHeading, markdownSections } from '../markdown-sections.ts';
import { UnreadableDocument } from '../unreadable-document.ts';

const boilerplate = 'nav,header,footer,aside,[role=navigation],[role=banner],[role=contentinfo],[hidden]';
/** Browsers stop at 512. Building a tree takes quadratic time in its depth. */
const maxDepth = 1000;
/** Building a tree takes quadratic time in the attributes of an element: 150,000 took 94 s. */
const maxAttributes = 1000;
/** Below this share of the page's text, Readability has selected only a part of the content. */
const leastShareOfText = 0.5;

interface Page {
  title: string;
  language: string | null;
  /** The whole document without boilerplate, its blocks marked. */
  html: string;
  /** The body without boilerplate. */
  body: string;
  bodyTextLength: number;
}

/** Reads the main content of a page; of a page without one, all its text without navigation and the like. */
export function readHtml(bytes: Uint8Array, mimeType: string | null): ReadResult {
  const source = readableSource(bytes, mimeType);
  const { title, language, html, body, bodyTextLength } = parsePage(source);
  const article = mainContent(html);
  const isWhole = squeezedLength(load(article).text()) >= bodyTextLength * leastShareOfText;
  const sections = markdownSections(htmlToMarkdown(isWhole ? article : body));
  return { title: title || firstHeading(sections), language, sections };
}

/**
 * Decodes a page and checks that it can be parsed.
 * @throws UnreadableDocument
 */
export function readableSource(bytes: Uint8Array, mimeType: string | null): string {
  const source = decodeText(bytes, charsetOf(mimeType) ?? declaredCharset(bytes));
  assertReadablePage(source);
  return source;
}

/**
 * Checks that a page can be parsed.
 * @throws UnreadableDocument
 */
export function assertReadablePage(source: string): void {
  if (source.length > extractionLimits.htmlCharacters) {
    throw new UnreadableDocument('too_large', 'The HTML page is larger than Parley reads.');
  }
  assertShallow(source);
}

/** Returns strings only: two trees of a large page would not fit into memory. */
function parsePage(source: string): Page {
  const $ = load(source);
  const title = cleanLine($('meta[property="og:title"]').attr('content') ?? $('title').first().text());
  const language = primaryLanguage($('html').attr('lang') ?? $('html').attr('xml:lang'));
  $(`script,style,noscript,template,${boilerplate}`).remove();
  const bodyTextLength = squeezedLength($('body').text());
  const body = $('body').html() ?? '';
  mark($);
  return { title, language, html: $.html(), body, bodyTextLength };
}

function assertShallow(html: string): void {
  let depth = 0;
  let attributes = 0;
  const parser = new Parser({
    onattribute: () => {
      attributes++;
      if (attributes > maxAttributes) {
        throw new UnreadableDocument(
          'damaged',
          'The HTML page is damaged: an element has attributes without end.',
        );
      }
    },
    onopentag: () => {
      attributes = 0;
      depth++;
      if (depth > maxDepth) {
        throw new UnreadableDocument(
          'damaged',
          'The HTML page is damaged: its elements are nested without end.',
        );
      }
    },
    onclosetag: () => {
      depth--;
    },
  });
  parser.end(html);
}

const squeezedLength = (text: string) => text.replace(/\s+/g, ' ').length;

function declaredCharset(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1] ?? null;
}
