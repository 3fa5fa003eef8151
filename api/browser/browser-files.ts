import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type Koa from 'koa';
import { loadBrowserFile, translationFiles, type BrowserFile } from './browser-bundle.ts';

interface Served {
  file: BrowserFile;
  headers: Record<string, string>;
}

const ofAnySite = {
  // The address never changes, so browsers ask again after five minutes, and use what they have while they do.
  'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
};

const files: Record<string, Served> = {
  '/widget.js': { file: 'widget.js', headers: ofAnySite },
  ...Object.fromEntries(translationFiles.map((file) => [`/widget/${file}`, { file, headers: ofAnySite }])),
  '/console/console.js': {
    file: 'console.js',
    headers: { 'Cache-Control': 'no-cache', 'Cross-Origin-Resource-Policy': 'same-origin' },
  },
};

interface Content {
  etag: string;
  encodings: Record<'br' | 'gzip' | 'identity', Buffer>;
}

/** Of the build, so that it stays as it is; Brotli takes a third of a second for the console. */
const loaded = new Map<BrowserFile, Promise<Content>>();

/** Serves the widget's script and words to any site, and the console's script to its page; returns whether it was one of them. */
export async function serveBrowserFile(koa: Koa.Context): Promise<boolean> {
  const served = files[koa.path];
  if (served === undefined || (koa.method !== 'GET' && koa.method !== 'HEAD')) return false;
  const { file, headers } = served;
  const content = loaded.get(file) ?? readContent(file);
  loaded.set(file, content);
  koa.set(headers);
  koa.type = extname(file);
  send(koa, await content);
  return true;
}

async function readContent(file: BrowserFile): Promise<Content> {
  const identity = await loadBrowserFile(file);
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(identity), promisify(gzip)(identity)]);
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return { etag, encodings: { br, gzip: zipped, identity } };
}

function send(koa: Koa.Context, { etag, encodings }: Content): void {
  koa.set('ETag', etag);
  koa.vary('Accept-Encoding');
  koa.status = 200;
  if (koa.fresh) {
    koa.status = 304;
    return;
  }
  const encoding = koa.acceptsEncodings('br', 'gzip', 'identity') || 'identity';
  if (encoding !== 'identity') koa.set('Content-Encoding', encoding);
  koa.body = encodings[encoding as keyof Content['encodings']];
}
