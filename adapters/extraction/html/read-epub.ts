import { load, type CheerioAPI } from 'cheerio';
import { DamagedParts } from '../damaged-parts.ts';
import { documentFormats } from '../document-types.ts';
import { readBookContents, type BookEntry } from './book-contents.ts';
import { decodeMarkup } from '../encoding/decode-text.ts';
import type { ReadResult, Section } from '../extracted-document.ts';
import { extractionLimits } from '../extraction-limits.ts';
import { convertHtmlToMarkdown } from './html-markdown.ts';
import { findFirstHeading, splitMarkdown } from '../markdown-sections.ts';
import { readDublinCore } from '../office/office-package.ts';
import { resolvePart } from '../part-path.ts';
import { removeElements } from './page-tree.ts';
import { assertReadablePage } from './read-html.ts';
import { keepVisibleContent } from './visible-content.ts';
import { readXml } from '../read-xml.ts';
import { UnreadableDocument } from '../unreadable-document.ts';
import { ZipArchive } from '../zip-archive.ts';

interface ManifestItem {
  path: string;
  mediaType: string;
  isContents: boolean;
}

interface Package {
  manifest: Map<string, ManifestItem>;
  /** Files of the EPUB book's chapters in reading order. */
  spine: ManifestItem[];
  bytes: Buffer;
}

const { name } = documentFormats.epub;
/**
 * Matches font files in a book. Encrypted fonts are allowed: EPUB obfuscates fonts even if the text is
 * readable.
 */
const FONT = /\.(?:otf|ttf|woff2?)$/i;
const PAGE = /xhtml|html/;
/**
 * Elements of a book's chapter that are not part of the text: tables of contents, printed page numbers,
 * pronunciations.
 */
const NON_TEXT_ELEMENTS =
  'script,style,noscript,template,nav,[hidden],[epub\\:type~=pagebreak],[role=doc-pagebreak],rt,rp';
/**
 * Matches self-closing elements such as `<div/>`. XHTML allows such elements, but an HTML parser would leave
 * them open.
 */
const SELF_CLOSED =
  /<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)([a-z][\w:-]*)((?:\s[^<>]*)?)\/>/gi;

/**
 * Number of parts of a chapter's text that are joined at once, so that memory depends only on the length of
 * the text.
 */
const JOINED_AT_ONCE = 10_000;

/** Reads the chapters and notes of an EPUB book, in reading order. */
export function readEpub(bytes: Uint8Array): ReadResult {
  const archive = new ZipArchive(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), name);
  const book = readPackage(archive);
  assertNoDrm(archive);
  const contents = readBookContents(archive, [...book.manifest.values()]);
  const sections: Section[] = [];
  const damaged = new DamagedParts();
  let characters = 0;
  for (const [index, { path }] of book.spine.entries()) {
    const before = sections.at(-1)?.headings ?? [];
    const read = () => readChapter(archive.read(path), contents.get(path) ?? [], before);
    const found = damaged.try(`chapter ${index + 1}`, read) ?? [];
    characters += found.reduce((total, section) => total + section.text.length, 0);
    if (characters > extractionLimits.textCharacters) {
      throw new UnreadableDocument('too_large', `The ${name} contains more text than Parley can read.`);
    }
    sections.push(...found);
  }
  const { title, language } = readDublinCore(book.bytes);
  damaged.assertRest(sections.length > 0);
  return { title: title ?? findFirstHeading(sections), language, sections, ...damaged.describe(name) };
}

function readPackage(archive: ZipArchive): Package {
  let path = '';
  readXml(archive.read('META-INF/container.xml'), {
    open: (element, attributes) => {
      if (element === 'rootfile') path ||= attributes['full-path'] ?? '';
    },
  });
  const bytes = archive.read(path);
  const manifest = new Map<string, ManifestItem>();
  const order: string[] = [];
  readXml(bytes, {
    open: (element, { id = '', href = '', idref, properties = '', 'media-type': mediaType = '' }) => {
      if (element === 'item') {
        const isContents = /(?:^|\s)nav(?:\s|$)/.test(properties) || mediaType === 'application/x-dtbncx+xml';
        manifest.set(id, { path: resolvePart(path, href), mediaType, isContents });
      } else if (element === 'itemref' && idref) order.push(idref);
    },
  });
  // Ignore repeated chapters in a book, which the EPUB format forbids.
  const spine = [...new Set(order)]
    .flatMap((id) => manifest.get(id) ?? [])
    .filter(({ mediaType, isContents }) => PAGE.test(mediaType) && !isContents);
  return { manifest, spine, bytes };
}

/**
 * Refuses an EPUB book with DRM (copy protection), which encrypts its text.
 * @throws UnreadableDocument
 */
function assertNoDrm(archive: ZipArchive): void {
  const encryption = archive.readIfAny('META-INF/encryption.xml');
  if (!encryption) return;
  readXml(encryption, {
    open: (element, { URI: target }) => {
      if (element !== 'CipherReference' || !target || FONT.test(target)) return;
      throw new UnreadableDocument(
        'encrypted',
        `The ${name} is protected against copying (DRM). Upload a version without protection.`,
        { advice: null },
      );
    },
  });
}

function readChapter(bytes: Buffer, entries: readonly BookEntry[], before: readonly string[]): Section[] {
  const source = closeElements(decodeMarkup(bytes).text);
  assertReadablePage(source);
  const $ = load(source.replace(/^\s*<\?xml[^>]*\?>/, ''));
  keepVisibleContent($);
  removeElements($(NON_TEXT_ELEMENTS).get());
  if ($('h1,h2,h3,h4,h5,h6').length === 0) addHeadings($, entries);
  const found = splitMarkdown(convertHtmlToMarkdown($('body').html() ?? ''));
  const parents = entries[0]?.parents ?? [];
  return found.map((section) => {
    // Continue the previous chapter with a file that has no headings and no entries in the table of contents.
    const continuesSection = section.headings.length === 0 && entries.length === 0;
    return { ...section, headings: continuesSection ? [...before] : [...parents, ...section.headings] };
  });
}

/**
 * Adds the end tags of self-closing elements, one after another. `replace` collects all matches first, and V8 ends the
 * whole process if a single call exceeds the memory of a thread.
 */
function closeElements(source: string): string {
  const joined: string[] = [];
  let parts: string[] = [];
  let end = 0;
  for (const { 0: element, 1: tag = '', 2: attributes = '', index } of source.matchAll(SELF_CLOSED)) {
    parts.push(source.slice(end, index), `<${tag}${attributes}></${tag}>`);
    end = index + element.length;
    if (parts.length < JOINED_AT_ONCE) continue;
    joined.push(parts.join(''));
    parts = [];
  }
  return [...joined, ...parts, source.slice(end)].join('');
}

/** Inserts the titles of the book's table of contents as headings into a chapter that has no headings. */
function addHeadings($: CheerioAPI, entries: readonly BookEntry[]): void {
  const body = $('body');
  const outermost = entries[0]?.parents.length ?? 0;
  const places = new Map(
    body
      .find('[id]')
      .get()
      .map((element) => [$(element).attr('id'), element]),
  );
  for (const { title, fragment, parents } of [...entries].reverse()) {
    const element = `h${Math.min(Math.max(parents.length - outermost, 0) + 1, 6)}`;
    const heading = $(`<${element}></${element}>`).text(title);
    const place = fragment ? places.get(fragment) : undefined;
    if (place) $(place).before(heading);
    else body.prepend(heading);
  }
}
