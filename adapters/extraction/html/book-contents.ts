import { load, type CheerioAPI } from 'cheerio';
import type { Element } from 'domhandler';
import { cleanLine } from '../clean-text.ts';
import { decodeMarkup } from '../encoding/decode-text.ts';
import { resolvePart } from '../part-path.ts';
import { readXml } from '../read-xml.ts';
import type { ZipArchive } from '../zip-archive.ts';

/** An entry in the table of contents of an EPUB book. */
export interface BookEntry {
  title: string;
  /** Id of the element to which the entry links; null for the beginning of a chapter's file. */
  fragment: string | null;
  /** Titles of the entries above this entry, outermost first. */
  parents: string[];
}

interface Contents {
  entries: Map<string, BookEntry[]>;
  add(title: string, link: string, parents: string[]): void;
}

const NCX = 'application/x-dtbncx+xml';
/** Maximum depth of entries in a book's table of contents that count as headings. */
const MAX_DEPTH = 6;

/**
 * Returns the entries of a book's table of contents, by the file to which they link. Prefers the table of
 * contents of EPUB 3 to the table of EPUB 2.
 */
export function readBookContents(
  archive: ZipArchive,
  items: readonly { path: string; mediaType: string; isContents: boolean }[],
): Map<string, BookEntry[]> {
  const navigation = items.find(({ isContents, mediaType }) => isContents && mediaType !== NCX);
  const ncx = items.find(({ mediaType }) => mediaType === NCX);
  const source = [navigation, ncx].find((item) => item && archive.has(item.path));
  if (!source) return new Map();
  const contents = startContents(source.path);
  const bytes = archive.read(source.path);
  if (source === ncx) readNcx(bytes, contents);
  else readNavigation(bytes, contents);
  return contents.entries;
}

function startContents(path: string): Contents {
  const entries = new Map<string, BookEntry[]>();
  const addEntry = (title: string, link: string, parents: string[]): void => {
    const part = resolvePart(path, link);
    const fragment = link.split('#')[1] || null;
    const others = entries.get(part) ?? [];
    others.push({ title, fragment, parents });
    entries.set(part, others);
  };
  return { entries, add: addEntry };
}

function readNavigation(bytes: Buffer, contents: Contents): void {
  const $ = load(decodeMarkup(bytes).text);
  const toc = $('nav[epub\\:type~=toc],nav[role=doc-toc]').first();
  const nav = toc.length > 0 ? toc : $('nav').first();
  addList($, nav.find('ol').first().children('li').get(), [], contents);
}

function addList($: CheerioAPI, items: readonly Element[], parents: string[], contents: Contents): void {
  for (const item of items) {
    const label = $(item).children('a,span').first();
    const title = cleanLine(label.text());
    const link = label.attr('href');
    if (title && link) contents.add(title, link, parents);
    if (parents.length < MAX_DEPTH) {
      addList(
        $,
        $(item).children('ol').children('li').get(),
        title ? [...parents, title] : parents,
        contents,
      );
    }
  }
}

function readNcx(bytes: Buffer, contents: Contents): void {
  const path: string[] = [];
  let label: string | null = null;
  readXml(bytes, {
    open: (name, { src }) => {
      if (name === 'navPoint') path.push('');
      else if (name === 'text' && path.length > 0) label = '';
      else if (name === 'content' && src && path.at(-1)) {
        contents.add(path.at(-1)!, src, path.slice(0, -1).filter(Boolean).slice(0, MAX_DEPTH));
      }
    },
    text: (text) => {
      if (label !== null) label += text;
    },
    close: (name) => {
      if (name === 'navPoint') path.pop();
      else if (name === 'text' && label !== null) {
        if (path.length > 0) path[path.length - 1] ||= cleanLine(label);
        label = null;
      }
    },
  });
}
