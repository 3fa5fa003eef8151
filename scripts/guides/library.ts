import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { projectRoot } from '../launcher/project-root.ts';
import { selectIntegratorChanges } from './integrator-changes.ts';

const LIST = 'docs/guides/README.md';
/** Path of the changelog, which the server shows without the changes that do not concern integrators. */
const CHANGELOG = 'CHANGELOG.md';
/** Path of the OpenAPI document. A link to it with an operation's id leads to the operation in the API reference. */
const OPENAPI = 'openapi.json';
/** URL path of the list of guides. */
export const LIBRARY = '/docs/guides';
/** URL paths of Markdown files that the server also shows outside the library of guides, by file path. */
const SERVED_ELSEWHERE: Readonly<Record<string, string>> = {
  [LIST]: LIBRARY,
  'docs/settings.md': '/docs/settings',
  [OPENAPI]: '/openapi.json',
};

export interface LibraryPage {
  /** Path of the page's Markdown file, relative to the project. */
  path: string;
  /** URL path of the page, without the extension `.md`. */
  address: string;
  title: string;
  summary: string;
}

interface LibraryGroup {
  title: string;
  pages: LibraryPage[];
}

/** The parsed list of guides. Only this list determines which pages are shown, and in which order. */
export interface Library {
  title: string;
  summary: string;
  groups: LibraryGroup[];
}

const ITEM = /^- \[([^\]]+)\]\(([^)]+)\): (.+)$/gm;

export function readLibrary(): Library {
  const [head = '', ...sections] = readPageText(LIST).split(/^## /m);
  const [, title = '', summary = ''] = /^# (.+)\n\n([^]+)/.exec(head) ?? [];
  const groups = sections.map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    pages: [...section.matchAll(ITEM)].map(([, name = '', link = '', about = '']) => {
      const path = posix.join(posix.dirname(LIST), link);
      return { path, address: toUrlPath(path), title: name, summary: about };
    }),
  }));
  return { title, summary: summary.trim().replaceAll('\n', ' '), groups };
}

/** Returns the Markdown of a page of the guides, as the server shows it. */
export function readPageText(path: string): string {
  const text = readFileSync(new URL(path, projectRoot()), 'utf8');
  return path === CHANGELOG ? selectIntegratorChanges(text) : text;
}

/**
 * Returns the URL path to which a link in a page of the guides leads.
 * @returns undefined if the server has no page for the target
 */
export function resolveLink(
  page: Pick<LibraryPage, 'path'>,
  href: string,
  library: Library,
): string | undefined {
  if (/^[a-z]+:|^#/.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  const path = posix.join(posix.dirname(page.path), target);
  if (path === OPENAPI && anchor !== undefined) return `/docs#${anchor}`;
  const found =
    SERVED_ELSEWHERE[path] ??
    library.groups.flatMap(({ pages }) => pages).find((each) => each.path === path)?.address;
  return found === undefined || anchor === undefined ? found : `${found}#${anchor}`;
}

/**
 * Returns the URL path of a documentation page: /docs/pages/widget for `docs/widget.md`,
 * /docs/pages/sdk-python for `sdk/python/README.md`.
 */
function toUrlPath(path: string): string {
  if (path === CHANGELOG) return `${LIBRARY}/changes`;
  const name = path.replace(/\.md$/, '').replace(/\/README$/, '');
  if (name.startsWith('docs/guides/')) return `${LIBRARY}/${posix.basename(name)}`;
  return `/docs/pages/${name.replace(/^docs\//, '').replaceAll('/', '-')}`;
}
