import { load } from 'cheerio';
import { Parser } from 'htmlparser2';
import { cleanLine } from '../clean-text.ts';
import { decodeMarkup, type DecodedText, type TextHints } from '../encoding/decode-text.ts';
import { parsePrimaryLanguage, type ReadResult } from '../extracted-document.ts';
import { extractionLimits } from '../extraction-limits.ts';
import { convertHtmlToMarkdown } from './html-markdown.ts';
import { isDatedArticle, removeSideContent } from './side-content.ts';
import { removeSiteParts } from './site-parts.ts';
import { keepVisibleContent } from './visible-content.ts';
import { extractMainContent, markBlocks } from './main-content.ts';
import { findFirstHeading, splitMarkdown } from '../markdown-sections.ts';
import { UnreadableDocument } from '../unreadable-document.ts';

/**
 * Maximum nesting of elements in an HTML page; browsers stop at 512. Building the tree takes quadratic time
 * in its depth.
 */
const maxDepth = 1000;
/**
 * Maximum number of attributes of an HTML element. Building the tree takes quadratic time in their number:
 * 150,000 took 94 seconds.
 */
const maxAttributes = 1000;
interface Page {
  title: string;
  language: string | null;
  /** True if the page is an article with a date. */
  isArticle: boolean;
  /** HTML of the page without side content, after `markBlocks` has numbered its blocks. */
  html: string;
}

/**
 * Reads the main content of an HTML page. If the page has no main content, reads all text except navigation
 * and similar parts.
 */
export function readHtml(bytes: Uint8Array, hints: TextHints): ReadResult {
  const { text: source, notice } = decodePage(bytes, hints);
  const { title, language, html, isArticle } = parsePage(source);
  const sections = splitMarkdown(convertHtmlToMarkdown(extractMainContent(html, isArticle)));
  return { title: title || findFirstHeading(sections), language, sections, ...(notice && { notice }) };
}

/**
 * Decodes an HTML page without NUL characters, as browsers do, and checks that it can be parsed.
 * @throws UnreadableDocument
 */
export function decodePage(bytes: Uint8Array, hints: TextHints): DecodedText {
  const decoded = decodeMarkup(bytes, hints);
  const text = decoded.text.replaceAll('\0', '');
  assertReadablePage(text);
  return { ...decoded, text };
}

/**
 * Checks that an HTML page is small and shallow enough to be parsed.
 * @throws UnreadableDocument
 */
export function assertReadablePage(source: string): void {
  if (source.length > extractionLimits.htmlCharacters) {
    throw new UnreadableDocument('too_large', 'The HTML page is larger than Parley can read.');
  }
  assertShallow(source);
}

/**
 * Parses an HTML page, converts the tree to strings, and frees the tree: two trees of a large page would not
 * fit into memory.
 */
function parsePage(source: string): Page {
  const $ = load(source, { scriptingEnabled: false });
  const title = cleanLine($('meta[property="og:title"]').attr('content') ?? $('title').first().text());
  const language = parsePrimaryLanguage($('html').attr('lang') ?? $('html').attr('xml:lang'));
  const isArticle = isDatedArticle($);
  keepVisibleContent($);
  removeSiteParts($);
  removeSideContent($, isArticle);
  markBlocks($);
  return { title, language, isArticle, html: $.html() };
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
          'The HTML page is damaged: an element has too many attributes.',
        );
      }
    },
    onopentag: () => {
      attributes = 0;
      depth++;
      if (depth > maxDepth) {
        throw new UnreadableDocument(
          'damaged',
          'The HTML page is damaged: its elements are nested too deeply.',
        );
      }
    },
    onclosetag: () => {
      depth--;
    },
  });
  parser.end(html);
}
