import { pauseIfDue } from '../../core/concurrency/loop-slices.ts';
import { detectByteOrderMark, detectUnmarkedUnicode } from '../extraction/encoding/unicode-bytes.ts';
import type { SitemapEntry, SitemapSource } from './sitemap-entry.ts';
import { SitemapXml } from './sitemap-xml.ts';
import { NotASitemap, WebSourceError } from './web-source-error.ts';

interface EntryParser {
  write(text: string): SitemapEntry[];
  end(): SitemapEntry[];
}

const MAX_LOCATION_LENGTH = 4096;
/** Number of bytes at the start of a sitemap that determine its encoding and its format. */
const HEAD_BYTES = 16 * 1024;
/** Matches bytes of a character of UTF-8, read as Latin-1. */
const UTF_8_CHARACTER = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}/;
const ADDRESS = /^https?:\/\//i;

/**
 * Parses the entries of a sitemap or sitemap index (sitemaps.org): XML, plain text, RSS or Atom, well-formed
 * or not. Yields them in batches as they arrive, so that memory use is constant.
 * @throws WebSourceError if the text is not a sitemap
 */
export async function* parseSitemap(
  chunks: AsyncIterable<Buffer>,
  source: SitemapSource,
): AsyncGenerator<SitemapEntry[]> {
  let head = Buffer.alloc(0);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let parser: EntryParser | undefined;
  const startParser = () => {
    decoder = new TextDecoder(detectEncoding(head, source.charset));
    const text = decoder.decode(head, { stream: true });
    parser = createParser(text, source);
    return parser.write(text);
  };
  for await (const chunk of chunks) {
    if (parser && decoder) {
      await pauseIfDue();
      yield parser.write(decoder.decode(chunk, { stream: true }));
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < HEAD_BYTES) continue;
    if (isBlank(head)) head = Buffer.alloc(0);
    else yield startParser();
  }
  if (!parser) yield startParser();
  yield parser!.write(decoder!.decode());
  yield parser!.end();
}

/**
 * Returns the character encoding of a sitemap. Ignores a declaration that the bytes contradict, such as
 * UTF-16 for a file that a program has converted to UTF-8 since.
 */
function detectEncoding(head: Buffer, charset: string | null): string {
  const detected = detectByteOrderMark(head) ?? detectUnmarkedUnicode(head);
  // TextDecoder does not know UTF-32, in which no server sends sitemaps.
  if (detected && !detected.startsWith('utf-32')) return detected;
  if (head.some((byte) => byte > 0x7f) && isUtf8(head)) return 'utf-8';
  const text = head.toString('latin1');
  const declared = /<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})/i.exec(text)?.[1];
  const label = [charset, declared].find((name) => name && isSingleByte(name)) ?? 'utf-8';
  const isOtherThanUtf8 = /[^\0-\x7f]/.test(text) && !UTF_8_CHARACTER.test(text);
  return isOtherThanUtf8 && new TextDecoder(label).encoding === 'utf-8' ? 'windows-1252' : label;
}

function isUtf8(head: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function isBlank(head: Buffer): boolean {
  return head.toString('latin1').trim() === '';
}

/** Returns whether a charset is known and encodes each ASCII character in one byte. */
function isSingleByte(label: string): boolean {
  try {
    return !new TextDecoder(label).encoding.startsWith('utf-16');
  } catch {
    return false;
  }
}

function createParser(head: string, source: SitemapSource): EntryParser {
  const text = head.trimStart();
  if (text === '') throw new WebSourceError('The sitemap is empty.', false);
  if (text.startsWith('<') || (!isAddressList(text) && /<[?!\w]/.test(text))) return new SitemapXml(source);
  if (!isAddressList(text)) throw new NotASitemap('The file is neither an XML sitemap nor a list of URLs.');
  return createLineParser();
}

/** Returns whether at least half of a sitemap's first lines are URLs. */
function isAddressList(head: string): boolean {
  const lines = splitLines(head).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const first = lines.slice(0, 10);
  return first.filter((line) => ADDRESS.test(line.trim())).length * 2 >= Math.max(1, first.length);
}

function splitLines(text: string): string[] {
  return text.split(/\r\n?|\n/);
}

function createLineParser(): EntryParser {
  let rest = '';
  const toEntries = (lines: string[]): SitemapEntry[] =>
    lines
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((location) => ({ kind: 'page', location, base: null }));
  return {
    write(text) {
      const lines = splitLines(rest + text);
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LOCATION_LENGTH) {
        throw new NotASitemap('The file is neither an XML sitemap nor a list of URLs.');
      }
      return toEntries(lines);
    },
    end: () => toEntries([rest]),
  };
}
