import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { projectRoot } from '../launcher/project-root.ts';

const LIST = 'docs/guides/README.md';
/** Where the list of guides is. */
export const LIBRARY = '/docs/guides';
/** What the server shows in other ways. */
const elsewhere: Readonly<Record<string, string>> = {
  [LIST]: LIBRARY,
  'docs/settings.md': '/docs/settings',
  'openapi.json': '/openapi.json',
};

export interface LibraryPage {
  /** From the root of the project. */
  path: string;
  /** Without the ending that its Markdown has. */
  address: string;
  title: string;
  summary: string;
}

interface LibraryGroup {
  title: string;
  pages: LibraryPage[];
}

/** What the list of guides holds, in its order; the only place that says what is shown, and where. */
export interface Library {
  title: string;
  summary: string;
  groups: LibraryGroup[];
}

const ITEM = /^- \[([^\]]+)\]\(([^)]+)\): (.+)$/gm;

export function readLibrary(): Library {
  const [head = '', ...sections] = readPage(LIST).split(/^## /m);
  const [, title = '', summary = ''] = /^# (.+)\n\n([^]+)/.exec(head) ?? [];
  const groups = sections.map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    pages: [...section.matchAll(ITEM)].map(([, name = '', link = '', about = '']) => {
      const path = posix.join(posix.dirname(LIST), link);
      return { path, address: addressOf(path), title: name, summary: about };
    }),
  }));
  return { title, summary: summary.trim().replaceAll('\n', ' '), groups };
}

export function readPage(path: string): string {
  return readFileSync(new URL(path, projectRoot()), 'utf8');
}

/**
 * Where a link of a page leads on the server.
 * @returns undefined where the server does not have what it leads to
 */
export function linkFrom(
  page: Pick<LibraryPage, 'path'>,
  href: string,
  library: Library,
): string | undefined {
  if (/^[a-z]+:|^#/.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  const path = posix.join(posix.dirname(page.path), target);
  const found =
    elsewhere[path] ??
    library.groups.flatMap(({ pages }) => pages).find((each) => each.path === path)?.address;
  return found === undefined || anchor === undefined ? found : `${found}#${anchor}`;
}

/** `docs/widget.md` is at /docs/pages/widget, `sdk/python/README.md` at /docs/pages/sdk-python. */
function addressOf(path: string): string {
  const name = path.replace(/\.md$/, '').replace(/\/README$/, '');
  if (name.startsWith('docs/guides/')) return `${LIBRARY}/${posix.basename(name)}`;
  return `/docs/pages/${name.replace(/^docs\//, '').replaceAll('/', '-')}`;
}
