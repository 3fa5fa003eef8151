import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type Koa from 'koa';
import { loadBrowserFile, type BrowserFile } from './browser-bundle.ts';

interface Served {
  file: BrowserFile;
  headers: Record<string, string>;
}

const scripts: Record<string, Served> = {
  '/widget.js': {
    file: 'widget.js',
    headers: {
      // The address never changes, so browsers ask again after five minutes, and use what they have while they do.
      'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Access-Control-Allow-Origin': '*',
    },
  },
  '/console/console.js': {
    file: 'console.js',
    headers: { 'Cache-Control': 'no-cache', 'Cross-Origin-Resource-Policy': 'same-origin' },
  },
};

interface Script {
  etag: string;
  encodings: Record<'br' | 'gzip' | 'identity', Buffer>;
}

/** Serves the widget's script to any site, and the console's to its page; answers whether the request was for one. */
export function createBrowserScripts(): (koa: Koa.Context) => Promise<boolean> {
  const loaded = new Map<BrowserFile, Promise<Script>>();
  return async (koa) => {
    const served = scripts[koa.path];
    if (served === undefined || (koa.method !== 'GET' && koa.method !== 'HEAD')) return false;
    const { file, headers } = served;
    const script = loaded.get(file) ?? readScript(file);
    loaded.set(file, script);
    koa.set(headers);
    send(koa, await script);
    return true;
  };
}

async function readScript(file: BrowserFile): Promise<Script> {
  const identity = await loadBrowserFile(file);
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(identity), promisify(gzip)(identity)]);
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return { etag, encodings: { br, gzip: zipped, identity } };
}

function send(koa: Koa.Context, { etag, encodings }: Script): void {
  koa.set('ETag', etag);
  koa.vary('Accept-Encoding');
  koa.status = 200;
  if (koa.fresh) {
    koa.status = 304;
    return;
  }
  const encoding = koa.acceptsEncodings('br', 'gzip', 'identity') || 'identity';
  if (encoding !== 'identity') koa.set('Content-Encoding', encoding);
  koa.type = 'text/javascript; charset=utf-8';
  koa.body = encodings[encoding as keyof Script['encodings']];
}
