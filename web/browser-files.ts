import { extname } from 'node:path';
import type Koa from 'koa';
import {
  loadBrowserFile,
  loadConsole,
  loadWidgetParts,
  translationFiles,
  type BrowserFile,
} from './browser-bundle.ts';
import { encodeContent, sendEncoded, type EncodedContent } from './encoded-content.ts';

interface ServedFile {
  /** Key by which `loadedContents` caches the file. */
  cacheKey: string;
  /** @returns undefined if the file does not exist */
  read(): Promise<Buffer | undefined>;
  headers: Record<string, string>;
}

const crossOriginHeaders = {
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
};

const widgetHeaders = {
  ...crossOriginHeaders,
  // The widget's URL stays the same in all releases, so browsers revalidate after five minutes. During that
  // check, they use their cached copy.
  'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400',
};

/** Headers of the scripts of the console and of the API reference. */
const consoleHeaders = { 'Cross-Origin-Resource-Policy': 'same-origin' };

/** Cache-Control header for files whose names contain a digest of their contents. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

const referenceFiles = ['reference.js', 'reference.css'] as const;

const files: Record<string, ServedFile> = Object.fromEntries([
  ['/widget.js', createServedFile('widget.js', '/widget.js')],
  ...translationFiles.map((file) => [`/widget/${file}`, createServedFile(file, `/widget/${file}`)]),
  ...referenceFiles.map((file) => [`/docs/${file}`, createReferenceFile(file)]),
]);

function createServedFile(
  file: BrowserFile,
  cacheKey: string,
  headers: Record<string, string> = widgetHeaders,
): ServedFile {
  return { cacheKey, read: () => loadBrowserFile(file), headers };
}

function createReferenceFile(file: BrowserFile): ServedFile {
  return createServedFile(file, `/docs/${file}`, { ...consoleHeaders, 'Cache-Control': 'no-cache' });
}

let consoleFiles: Promise<Map<string, Buffer>> | undefined;
let widgetParts: Promise<Map<string, Buffer>> | undefined;

async function findServedFile(path: string): Promise<ServedFile | undefined> {
  if (Object.hasOwn(files, path)) return files[path];
  const [, folder, name] = /^\/(console|widget)\/([\w-]+\.(?:js|json|css|svg))$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  return folder === 'widget' ? findWidgetPart(name) : createConsoleFile(name, path);
}

function createConsoleFile(name: string, cacheKey: string): ServedFile {
  return {
    cacheKey,
    read: () => loadConsoleFile(name),
    headers: {
      ...consoleHeaders,
      'Cache-Control': name.endsWith('.svg') ? 'public, max-age=3600' : IMMUTABLE,
    },
  };
}

export async function loadConsoleFile(name: string): Promise<Buffer | undefined> {
  return (await (consoleFiles ??= loadConsole())).get(name);
}

/**
 * Finds the file of a script or translation that the widget loads on demand. A widget of an earlier release
 * gets the current script if the script's contract has not changed.
 */
async function findWidgetPart(name: string): Promise<ServedFile | undefined> {
  const parts = await (widgetParts ??= loadWidgetParts());
  const [, contract] = /^([a-z]+-[\da-f]{8}-)[\da-f]{8}\.js$/.exec(name) ?? [];
  const known =
    parts.has(name) || contract === undefined
      ? name
      : [...parts.keys()].find((each) => each.startsWith(contract));
  const content = parts.get(known ?? '');
  if (content === undefined) return undefined;
  return {
    cacheKey: `/widget/${known}`,
    read: async () => content,
    headers: { ...crossOriginHeaders, 'Cache-Control': known === name ? IMMUTABLE : 'no-store' },
  };
}

/**
 * Compressed contents of browser files by cache key. Files do not change while the process runs, and
 * compressing the console with Brotli takes a third of a second.
 */
const loadedContents = new Map<string, Promise<EncodedContent>>();

/**
 * Serves the widget's files to any website, and the console's files to the console's page. Returns whether
 * the path belongs to one of these files.
 */
export async function serveBrowserFile(koa: Koa.Context): Promise<boolean> {
  if (koa.method !== 'GET' && koa.method !== 'HEAD') return false;
  const served = await findServedFile(koa.path);
  if (served === undefined) return false;
  const content = await loadContent(served);
  if (content === undefined) return false;
  koa.set(served.headers);
  koa.type = extname(koa.path);
  sendEncoded(koa, content);
  return true;
}

/**
 * Loads and compresses a browser file once. Files that do not exist are not cached, because callers can
 * invent any number of names.
 */
async function loadContent({ cacheKey, read }: ServedFile): Promise<EncodedContent | undefined> {
  const known = loadedContents.get(cacheKey);
  if (known) return known;
  const identity = await read();
  if (identity === undefined) return undefined;
  const content = loadedContents.get(cacheKey) ?? encodeContent(identity);
  loadedContents.set(cacheKey, content);
  return content;
}
