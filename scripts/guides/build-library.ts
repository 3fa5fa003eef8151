import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { projectRoot } from '../launcher/project-root.ts';
import { renderGuidePage } from './guide-page.ts';
import {
  LIBRARY,
  resolveLink,
  readLibrary,
  readPageText,
  type Library,
  type LibraryPage,
} from './library.ts';
import { renderLlmsText } from './llms-text.ts';
import { renderMarkdown, type RenderedMarkdown } from './render-markdown.ts';
import { splitSections, type SearchSection } from './search-sections.ts';

const IMAGES = '/docs/pages/images';

/**
 * Returns all files of the guides that the server serves, by URL path. A path without an extension is a page.
 */
export async function buildLibrary(): Promise<Map<string, string | Buffer>> {
  const library = readLibrary();
  const files = new Map<string, string | Buffer>();
  const sections: SearchSection[] = [];
  for (const page of library.groups.flatMap(({ pages }) => pages)) {
    const text = readPageText(page.path);
    const { html, headings, images } = renderPage(page, text, library);
    files.set(page.address, renderGuidePage({ library, page, html, headings }));
    files.set(`${page.address}.md`, linkToServer(page, text, library));
    for (const image of images) files.set(imageAddress(image), readFileSync(imageFile(page, image)));
    sections.push(...splitSections(page, html));
  }
  const list: LibraryPage = {
    path: 'docs/guides/README.md',
    address: LIBRARY,
    title: library.title,
    summary: library.summary,
  };
  files.set(LIBRARY, renderGuidePage({ library, ...renderPage(list, readPageText(list.path), library) }));
  files.set(`${LIBRARY}/search.json`, JSON.stringify(sections));
  files.set('/llms.txt', renderLlmsText(library));
  for (const [name, content] of await bundleGuideFiles()) files.set(`${LIBRARY}/${name}`, content);
  return files;
}

function renderPage(page: LibraryPage, text: string, library: Library): RenderedMarkdown {
  return renderMarkdown(text, { link: (href) => resolveLink(page, href, library), image: imageAddress });
}

/** Matches fenced code blocks. The capturing group makes `split` include the blocks in its result. */
const FENCED_BLOCK = /(^```.*?^```$)/gms;
const LINK = /(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g;

/**
 * Makes the links in a guide lead to the Markdown files of other pages. Links to files that the server lacks
 * become plain text.
 */
function linkToServer(page: LibraryPage, text: string, library: Library): string {
  const addresses = new Set(library.groups.flatMap(({ pages }) => pages.map(({ address }) => address)));
  const relink = (prose: string) =>
    prose.replaceAll(LINK, (_all, name: string, href: string) => {
      const [address = '', ...anchor] = resolveLink(page, href, library)?.split(/(?=#)/) ?? [];
      if (address === '') return name;
      return `[${name}](${address}${addresses.has(address) ? '.md' : ''}${anchor.join('')})`;
    });
  const pieces = text.split(FENCED_BLOCK);
  return pieces.map((piece, index) => (index % 2 === 0 ? relink(piece) : piece)).join('');
}

function imageAddress(image: string): string {
  return `${IMAGES}/${posix.basename(image)}`;
}

function imageFile(page: LibraryPage, image: string): URL {
  return new URL(posix.join(posix.dirname(page.path), image), projectRoot());
}

async function bundleGuideFiles(): Promise<Map<string, string>> {
  const folder = fileURLToPath(new URL('guides/', projectRoot()));
  const { outputFiles } = await build({
    entryPoints: [`${folder}main.ts`],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
  });
  const { code } = await transform(readFileSync(`${folder}guides.css`, 'utf8'), {
    loader: 'css',
    minify: true,
  });
  return new Map([
    ['guides.js', outputFiles[0]!.text],
    ['guides.css', code],
  ]);
}
