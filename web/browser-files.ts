import { extname } from 'node:path';
import type Koa from 'koa';
import {
  CONSOLE_SCRIPT,
  loadBrowserFile,
  loadConsole,
  loadWidgetParts,
  translationFiles,
  type BrowserFile,
} from './browser-bundle.ts';
import { encoded, sendEncoded, type EncodedContent } from './encoded-content.ts';

interface Served {
  /** What it is remembered by. */
  place: string;
  /** @returns undefined where there is no such file */
  read(): Promise<Buffer | undefined>;
  headers: Record<string, string>;
}

const forAnySite = {
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
};

const ofAnySite = {
  ...forAnySite,
  // The address never changes, so browsers ask again after five minutes, and use what they have while they do.
  'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400',
};

/** The console, and the reference. */
const ofConsole = { 'Cross-Origin-Resource-Policy': 'same-origin' };

/** Of what is named after what is in it. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const REFERENCE = '/docs/reference.js';

const files: Record<string, Served> = Object.fromEntries([
  ['/widget.js', ofFile('widget.js', '/widget.js')],
  ...translationFiles.map((file) => [`/widget/${file}`, ofFile(file, `/widget/${file}`)]),
  [REFERENCE, ofFile('reference.js', REFERENCE, { ...ofConsole, 'Cache-Control': 'no-cache' })],
]);

function ofFile(file: BrowserFile, place: string, headers: Record<string, string> = ofAnySite): Served {
  return { place, read: () => loadBrowserFile(file), headers };
}

let consoleScripts: Promise<Map<string, Buffer>> | undefined;
let widgetParts: Promise<Map<string, Buffer>> | undefined;

async function servedAt(path: string): Promise<Served | undefined> {
  if (Object.hasOwn(files, path)) return files[path];
  const [, folder, name] = /^\/(console|widget)\/([\w-]+\.js(?:on)?)$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  return folder === 'widget' ? partNamed(name) : consoleScript(name, path);
}

function consoleScript(name: string, place: string): Served {
  return {
    place,
    read: async () => (await (consoleScripts ??= loadConsole())).get(name),
    headers: { ...ofConsole, 'Cache-Control': name === CONSOLE_SCRIPT ? 'no-cache' : FOR_EVER },
  };
}

/** A page that has the widget of another release gets the part of this one where both know the same of each other. */
async function partNamed(name: string): Promise<Served | undefined> {
  const parts = await (widgetParts ??= loadWidgetParts());
  const [, contract] = /^([a-z]+-[\da-f]{8}-)[\da-f]{8}\.js$/.exec(name) ?? [];
  const known =
    parts.has(name) || contract === undefined
      ? name
      : [...parts.keys()].find((each) => each.startsWith(contract));
  const content = parts.get(known ?? '');
  if (content === undefined) return undefined;
  return {
    place: `/widget/${known}`,
    read: async () => content,
    headers: { ...forAnySite, 'Cache-Control': known === name ? FOR_EVER : 'no-store' },
  };
}

/** Of the build, so that it stays as it is; Brotli takes a third of a second for the console. */
const loaded = new Map<string, Promise<EncodedContent>>();

/** Serves the widget's script and words to any site, and the console's scripts to its page; returns whether it was one of them. */
export async function serveBrowserFile(koa: Koa.Context): Promise<boolean> {
  if (koa.method !== 'GET' && koa.method !== 'HEAD') return false;
  const served = await servedAt(koa.path);
  if (served === undefined) return false;
  const content = await contentAt(served);
  if (content === undefined) return false;
  koa.set(served.headers);
  koa.type = extname(koa.path);
  sendEncoded(koa, content);
  return true;
}

/** Names that there are not are kept by nobody: callers make them up. */
async function contentAt({ place, read }: Served): Promise<EncodedContent | undefined> {
  const known = loaded.get(place);
  if (known) return known;
  const identity = await read();
  if (identity === undefined) return undefined;
  const content = loaded.get(place) ?? encoded(identity);
  loaded.set(place, content);
  return content;
}
