import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type Koa from 'koa';
import type { Settings } from '../../core/settings/settings.ts';
import { encodeContent, sendEncoded, type EncodedContent } from '../../web/encoded-content.ts';
import { ownScriptsPolicy } from '../../web/own-scripts-policy.ts';

/** Folder of the built guides, relative to the source files or to the build. */
const built = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/guides' : '../../guides', import.meta.url),
);
const ADDRESS = /^\/(llms\.txt|docs\/guides(\/[\w-]+(\.\w+)?)?|docs\/pages(\/images)?\/[\w-]+(\.\w+)?)$/;
/**
 * Matches the start of a root-relative link in Markdown. Readers open Markdown pages on other hosts, so these
 * links become absolute.
 */
const ROOTED_LINK = /\]\(\//g;

let guidePaths: readonly string[] | undefined;

/**
 * Lists the paths of the built guides, and of the pages to which the guides link. Reads their folder once.
 */
export function listGuidePaths(): readonly string[] {
  return (guidePaths ??= existsSync(built) ? readGuidePaths() : []);
}

function readGuidePaths(): string[] {
  return readdirSync(built, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(html|txt)$/.test(file))
    .map((file) => `/${file.replace(/\.html$/, '')}`);
}

/**
 * Creates the handler of /llms.txt and of the guides, which it serves as pages and as Markdown. The handler
 * returns whether it served the request.
 */
export function createGuidePages({ baseUrl }: Pick<Settings, 'baseUrl'>, folder = built) {
  const loaded = new Map<string, Promise<EncodedContent>>();

  async function load(file: string, makesLinksAbsolute: boolean): Promise<EncodedContent> {
    const content = await readFile(file);
    if (!makesLinksAbsolute) return encodeContent(content);
    return encodeContent(Buffer.from(content.toString().replaceAll(ROOTED_LINK, `](${baseUrl}/`)));
  }

  return async (koa: Koa.Context): Promise<boolean> => {
    if ((koa.method !== 'GET' && koa.method !== 'HEAD') || !ADDRESS.test(koa.path)) return false;
    const ending = extname(koa.path);
    const file = `${folder}${koa.path}${ending === '' ? '.html' : ''}`;
    if (!loaded.has(file) && !existsSync(file)) return false;
    let content = loaded.get(file);
    if (!content) {
      content = load(file, ending === '.md' || ending === '.txt');
      loaded.set(file, content);
      content.catch(() => loaded.delete(file));
    }
    koa.set({ 'Content-Security-Policy': ownScriptsPolicy, 'Cache-Control': 'no-cache' });
    koa.type = ending === '.md' ? 'text/markdown; charset=utf-8' : ending || '.html';
    sendEncoded(koa, await content);
    return true;
  };
}
