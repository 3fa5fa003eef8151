import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type Koa from 'koa';
import { loadBrowserFile, type BrowserFile } from './browser-bundle.ts';

/** The paths of what pages on other sites load. */
const scripts: Record<string, BrowserFile> = { '/widget.js': 'widget.js' };

/** The address never changes, so browsers ask again after five minutes, and use what they have while they do. */
const CACHE = 'public, max-age=300, stale-while-revalidate=86400';

interface Script {
  etag: string;
  encodings: Record<'br' | 'gzip' | 'identity', Buffer>;
}

/** Serves the scripts to any site; answers whether the request was for one. */
export function createBrowserScripts(): (koa: Koa.Context) => Promise<boolean> {
  const loaded = new Map<BrowserFile, Promise<Script>>();
  return async (koa) => {
    const file = scripts[koa.path];
    if (file === undefined || (koa.method !== 'GET' && koa.method !== 'HEAD')) return false;
    const script = loaded.get(file) ?? readScript(file);
    loaded.set(file, script);
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
  koa.set({
    'Cache-Control': CACHE,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Access-Control-Allow-Origin': '*',
    ETag: etag,
  });
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
