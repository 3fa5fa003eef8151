import { load } from 'cheerio';
import { Parser } from 'htmlparser2';
import { cleanLine } from '../clean-text.ts';
import { decodeMarkup, type DecodedText, type TextHints } from '../encoding/decode-text.ts';
import { parsePrimaryLanguage, type ReadResult } from '../extracted-document.ts';
import { extractionLimits } from '../extraction-limits.ts';
import { convertHtmlToMarkdown } from './html-markdown.ts';
import { revealCollapsed } from './collapsed-content.ts';
import { renderWithoutScripts } from './rendered-tree.ts';
import { removeSiteParts } from './site-parts.ts';
import { extractMainContent, markBlocks } from './main-content.ts';
import { findFirstHeading, splitMarkdown } from '../markdown-sections.ts';
import { UnreadableDocument } from '../unreadable-document.ts';

/** Maximum nesting of elements; browsers stop at 512. Building the tree takes quadratic time in its depth. */
const maxDepth = 1000;
/**
 * Maximum attributes of an element. Building the tree takes quadratic time in their number: 150,000 took 94
 * seconds.
 */
const maxAttributes = 1000;
/**
 * Minimum share of the page's text in Readability's result. With less, Readability has missed a part of the
 * content.
 */
const MIN_TEXT_SHARE = 0.5;

interface Page {
  title: string;
  language: string | null;
  /** HTML of the whole page without boilerplate, after `markBlocks`. */
  html: string;
  /** HTML of the body without boilerplate. */
  body: string;
  bodyTextLength: number;
}

/** Reads the main content of a page. If it has none, reads all text except navigation and similar parts. */
export function readHtml(bytes: Uint8Array, hints: TextHints): ReadResult {
  const { text: source, notice } = decodePage(bytes, hints);
  const { title, language, html, body, bodyTextLength } = parsePage(source);
  const article = extractMainContent(html);
  const isWhole = measureSqueezed(load(article).text()) >= bodyTextLength * MIN_TEXT_SHARE;
  const sections = splitMarkdown(convertHtmlToMarkdown(isWhole ? article : body));
  return { title: title || findFirstHeading(sections), language, sections, ...(notice && { notice }) };
}

/**
 * Decodes a page without NUL characters, as browsers do, and checks that it can be parsed.
 * @throws UnreadableDocument
 */
export function decodePage(bytes: Uint8Array, hints: TextHints): DecodedText {
  const decoded = decodeMarkup(bytes, hints);
  const text = decoded.text.replaceAll('\0', '');
  assertReadablePage(text);
  return { ...decoded, text };
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

/** Parses a page to strings and drops the tree: two trees of a large page would not fit into memory. */
function parsePage(source: string): Page {
  const $ = load(source, { scriptingEnabled: false });
  const title = cleanLine($('meta[property="og:title"]').attr('content') ?? $('title').first().text());
  const language = parsePrimaryLanguage($('html').attr('lang') ?? $('html').attr('xml:lang'));
  renderWithoutScripts($);
  revealCollapsed($);
  removeSiteParts($);
  const bodyTextLength = measureSqueezed($('body').text());
  const body = $('body').html() ?? '';
  markBlocks($);
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

const measureSqueezed = (text: string) => text.replace(/\s+/g, ' ').length;
