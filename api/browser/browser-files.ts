import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type Koa from 'koa';
import {
  CONSOLE_SCRIPT,
  loadBrowserFile,
  loadConsole,
  translationFiles,
  type BrowserFile,
} from './browser-bundle.ts';

interface Served {
  /** @returns undefined where there is no such file */
  read(): Promise<Buffer | undefined>;
  headers: Record<string, string>;
}

const ofAnySite = {
  // The address never changes, so browsers ask again after five minutes, and use what they have while they do.
  'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
};

const ofConsole = { 'Cross-Origin-Resource-Policy': 'same-origin' };

const files: Record<string, Served> = Object.fromEntries([
  ['/widget.js', ofFile('widget.js')],
  ...translationFiles.map((file) => [`/widget/${file}`, ofFile(file)]),
]);

function ofFile(file: BrowserFile): Served {
  return { read: () => loadBrowserFile(file), headers: ofAnySite };
}

let consoleScripts: Promise<Map<string, Buffer>> | undefined;

function servedAt(path: string): Served | undefined {
  const [, name] = /^\/console\/([\w-]+\.js)$/.exec(path) ?? [];
  if (name === undefined) return Object.hasOwn(files, path) ? files[path] : undefined;
  return {
    read: async () => (await (consoleScripts ??= loadConsole())).get(name),
    // All but the first are named after what is in them.
    headers: {
      ...ofConsole,
      'Cache-Control': name === CONSOLE_SCRIPT ? 'no-cache' : 'public, max-age=31536000, immutable',
    },
  };
}

interface Content {
  etag: string;
  encodings: Record<'br' | 'gzip' | 'identity', Buffer>;
}

/** Of the build, so that it stays as it is; Brotli takes a third of a second for the console. */
const loaded = new Map<string, Promise<Content>>();

/** Serves the widget's script and words to any site, and the console's scripts to its page; returns whether it was one of them. */
export async function serveBrowserFile(koa: Koa.Context): Promise<boolean> {
  if (koa.method !== 'GET' && koa.method !== 'HEAD') return false;
  const { path } = koa;
  const served = servedAt(path);
  if (served === undefined) return false;
  const content = await contentAt(path, served);
  if (content === undefined) return false;
  koa.set(served.headers);
  koa.type = extname(path);
  send(koa, content);
  return true;
}

/** Names that there are not are kept by nobody: callers make them up. */
async function contentAt(path: string, { read }: Served): Promise<Content | undefined> {
  const known = loaded.get(path);
  if (known) return known;
  const identity = await read();
  if (identity === undefined) return undefined;
  const content = loaded.get(path) ?? encoded(identity);
  loaded.set(path, content);
  return content;
}

async function encoded(identity: Buffer): Promise<Content> {
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity),
    promisify(gzip)(identity, { level: 9 }),
  ]);
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
