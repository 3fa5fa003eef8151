import { SaxesParser } from 'saxes';
import { cutText } from '../../core/text/cut-text.ts';
import { NotASitemap, WebSourceError } from './web-source-error.ts';

export interface SitemapEntry {
  kind: 'page' | 'sitemap';
  location: string;
}

interface EntryParser {
  write(text: string): SitemapEntry[];
  end(): SitemapEntry[];
}

const MAX_DEPTH = 16;
/** Maximum XML attributes per element. The root may declare ten namespaces. */
const MAX_ATTRIBUTES = 64;
const MAX_LOCATION_LENGTH = 4096;
/** Number of bytes to check for HTML if a file is not a sitemap. */
const HEAD_LENGTH = 2048;
const WEB_PAGE = /<!doctype\s+html|<html[\s>]/i;

/**
 * Parses the entries of a sitemap or sitemap index (sitemaps.org; XML or plain text). Yields them in batches
 * as they arrive, so that memory use is constant.
 * @throws WebSourceError if the text is not a sitemap, or declares a DOCTYPE, which could define entities
 */
export async function* parseSitemap(chunks: AsyncIterable<Buffer>): AsyncGenerator<SitemapEntry[]> {
  const decoder = new TextDecoder('utf-8');
  let parser: EntryParser | undefined;
  for await (const chunk of chunks) {
    let text = decoder.decode(chunk, { stream: true });
    if (parser === undefined) {
      text = text.trimStart();
      if (text === '') continue;
      parser = text.startsWith('<') ? createXmlParser() : createLineParser();
    }
    yield parser.write(text);
  }
  if (parser === undefined) throw new WebSourceError('The sitemap is empty.', false);
  yield parser.end();
}

function createXmlParser(): EntryParser {
  const parser = new SaxesParser({ xmlns: false });
  const path: string[] = [];
  let entries: SitemapEntry[] = [];
  let location = '';
  let head = '';
  let attributes = 0;
  const addText = (text: string) => {
    if (path.at(-1) === 'loc' && location.length < MAX_LOCATION_LENGTH) location += text;
  };
  parser.on('doctype', rejectDoctype);
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES)
      throw new WebSourceError('An element of the sitemap has too many attributes.', false);
  });
  parser.on('opentag', ({ name }) => {
    attributes = 0;
    const local = name.slice(name.indexOf(':') + 1);
    if (path.length === 0) assertSitemapRoot(local);
    if (path.length === MAX_DEPTH) throw new WebSourceError('The sitemap is nested too deeply.', false);
    path.push(local);
    location = '';
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const local = path.pop();
    const parent = path.at(-1);
    if (local !== 'loc' || (parent !== 'url' && parent !== 'sitemap')) return;
    entries.push({ kind: parent === 'url' ? 'page' : 'sitemap', location: location.trim() });
  });
  const run = (step: () => unknown) => {
    entries = [];
    try {
      step();
    } catch (error) {
      if (error instanceof WebSourceError || !(error instanceof Error)) throw error;
      if (WEB_PAGE.test(head)) throw createWebPageError();
      throw new WebSourceError(`The sitemap is not well-formed XML (line ${error.message})`, false);
    }
    return entries;
  };
  const write = (text: string) => {
    head += text.slice(0, HEAD_LENGTH - head.length);
    return run(() => parser.write(text));
  };
  return { write, end: () => run(() => parser.close()) };
}

function rejectDoctype(doctype: string): never {
  if (/^\s*html\b/i.test(doctype)) throw createWebPageError();
  throw new WebSourceError('The sitemap declares a DOCTYPE, so it is not read.', false);
}

function createWebPageError(): NotASitemap {
  return new NotASitemap('It is a web page and not a sitemap.');
}

function assertSitemapRoot(name: string): void {
  if (name !== 'urlset' && name !== 'sitemapindex') {
    throw new NotASitemap(`It is not a sitemap: its root element is <${cutText(name, 40)}>.`);
  }
}

function createLineParser(): EntryParser {
  let rest = '';
  let isFirst = true;
  const toEntries = (lines: string[]): SitemapEntry[] => {
    const locations = lines.map((line) => line.trim()).filter(Boolean);
    const [first] = locations;
    if (isFirst && first !== undefined && !/^https?:\/\//i.test(first)) {
      throw new NotASitemap('It is neither an XML sitemap nor a list of addresses.');
    }
    if (first !== undefined) isFirst = false;
    return locations.map((location) => ({ kind: 'page', location }));
  };
  return {
    write(text) {
      const lines = (rest + text).split(/\r\n?|\n/);
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LOCATION_LENGTH) {
        throw new NotASitemap('It is neither an XML sitemap nor a list of addresses.');
      }
      return toEntries(lines);
    },
    end: () => toEntries([rest]),
  };
}
