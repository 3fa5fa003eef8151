import assert from 'node:assert/strict';
import type { SitemapEntry, SitemapFlaw } from '../../../adapters/web/sitemap-entry.ts';
import { parseSitemap } from '../../../adapters/web/sitemap-parser.ts';

/** URL of the sitemap file that the tests parse. */
export const FILE = 'https://x.test/maps/sitemap.xml';
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
export const ABC = ['https://x.test/a', 'https://x.test/b', 'https://x.test/c'];

export interface Parsed {
  entries: SitemapEntry[];
  flaws: SitemapFlaw[];
  isPartial: boolean;
}

export async function parse(
  file: string | Buffer,
  { charset = null as string | null, chunkBytes = Infinity } = {},
): Promise<Parsed> {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  async function* sendChunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const parsed: Parsed = { entries: [], flaws: [], isPartial: false };
  const source = {
    url: FILE,
    charset,
    onFlaw: (flaw: SitemapFlaw) => {
      if (!parsed.flaws.includes(flaw)) parsed.flaws.push(flaw);
    },
    onPartial: () => (parsed.isPartial = true),
  };
  for await (const entries of parseSitemap(sendChunks(), source)) parsed.entries.push(...entries);
  return parsed;
}

/** Parses a sitemap file twice, as one chunk and byte by byte, and compares the results. */
export async function parseTwice(file: string | Buffer, charset: string | null = null): Promise<Parsed> {
  const parsed = await parse(file, { charset });
  assert.deepEqual(await parse(file, { charset, chunkBytes: 1 }), parsed);
  return parsed;
}

export const readLocations = ({ entries }: Parsed) => entries.map(({ location }) => location);
