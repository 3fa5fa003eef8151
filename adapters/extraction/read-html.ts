import { Readability } from '@mozilla/readability';
import { load } from 'cheerio';
import { Parser } from 'htmlparser2';
import { DOMParser } from 'linkedom';
import { cleanLine } from './clean-text.ts';
import { charsetOf, decodeText } from './decode-text.ts';
import { primaryLanguage, type ReadResult } from './extracted-document.ts';
import { extractionLimits } from './extraction-limits.ts';
import { htmlToMarkdown } from './html-markdown.ts';
import { firstHeading, markdownSections } from './markdown-sections.ts';
import { UnreadableDocument } from './unreadable-document.ts';

const boilerplate = 'nav,header,footer,aside,[role=navigation],[role=banner],[role=contentinfo],[hidden]';
/** Browsers stop at 512; the time to build a tree grows with the square of its depth. */
const maxDepth = 1000;
/** Below this share of the page's text Readability has taken a part for the whole. */
const leastShareOfText = 0.5;

/** The main content of a page; of a page without one, all its text but navigation and the like. */
export function readHtml(bytes: Uint8Array, mimeType: string | null): ReadResult {
  const html = decodeText(bytes, charsetOf(mimeType) ?? declaredCharset(bytes));
  if (html.length > extractionLimits.htmlCharacters) {
    throw new UnreadableDocument('too_large', 'The HTML page is larger than Parley reads.');
  }
  assertShallow(html);
  const $ = load(html);
  const pageTitle = cleanLine($('meta[property="og:title"]').attr('content') ?? $('title').first().text());
  const language = primaryLanguage($('html').attr('lang') ?? $('html').attr('xml:lang'));
  const article = mainContent($.html());
  $(`script,style,noscript,template,${boilerplate}`).remove();
  const body = $('body').html() ?? '';
  const isWhole = textLength(article) >= textLength(body) * leastShareOfText;
  const sections = markdownSections(htmlToMarkdown(isWhole ? article : body));
  return { title: pageTitle || firstHeading(sections), language, sections };
}

function assertShallow(html: string): void {
  let depth = 0;
  const parser = new Parser({
    onopentag: () => {
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

function mainContent(html: string): string {
  const document = new DOMParser().parseFromString(html, 'text/html');
  return new Readability(document, { maxElemsToParse: 200_000 }).parse()?.content ?? '';
}

function textLength(html: string): number {
  return load(html).text().replace(/\s+/g, ' ').length;
}

function declaredCharset(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1] ?? null;
}
