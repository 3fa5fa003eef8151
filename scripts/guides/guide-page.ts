import { escapeHtml } from '../../core/text/escape-html.ts';
import { LIBRARY, type Library, type LibraryPage } from './library.ts';
import { toPlainText, type RenderedHeading } from './render-markdown.ts';

export interface GuidePage {
  library: Library;
  /** Page of the library to render; undefined for the list of guides. */
  page?: LibraryPage;
  html: string;
  headings: readonly RenderedHeading[];
}

/** Renders the HTML of a guide's page. The page works without JavaScript, and loads files from this server only. */
export function renderGuidePage({ library, page, html, headings }: GuidePage): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="description" content="${escapeHtml(toPlainText(page?.summary ?? library.summary))}">
  <title>${escapeHtml(page === undefined ? 'Parley guides' : `${page.title} · Parley guides`)}</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="${LIBRARY}/guides.css">
  ${page === undefined ? '' : `<link rel="alternate" type="text/markdown" href="${page.address}.md">`}
  <script type="module" src="${LIBRARY}/guides.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
  <a class="brand" href="${LIBRARY}">Parley guides</a>
  <search hidden></search>
  <nav aria-label="Parley"><a href="/docs">API reference</a> <a href="/console">Console</a></nav>
</header>
<div class="columns">
<nav class="pages" aria-label="Guides">
<details open><summary>All guides</summary>
${library.groups.map((group) => renderGroup(group.title, group.pages, page)).join('\n')}
</details>
</nav>
<main id="content" tabindex="-1">
<article>
${html}</article>
${page === undefined ? '' : renderNeighbors(library, page)}
</main>
${renderContents(headings)}
</div>
</body>
</html>
`;
}

function renderGroup(title: string, pages: readonly LibraryPage[], current: LibraryPage | undefined): string {
  const items = pages.map(({ address, title: name }) => {
    const mark = address === current?.address ? ' aria-current="page"' : '';
    return `<li><a href="${address}"${mark}>${escapeHtml(name)}</a></li>`;
  });
  return `<h2>${escapeHtml(title)}</h2>\n<ul>${items.join('')}</ul>`;
}

/** Renders links to the previous and the next guide, even if that guide belongs to another group. */
function renderNeighbors({ groups }: Library, page: LibraryPage): string {
  const pages = groups.flatMap((group) => group.pages);
  const index = pages.findIndex(({ address }) => address === page.address);
  const link = (each: LibraryPage | undefined, rel: string, label: string) =>
    each === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${each.address}"><small>${label}</small>${escapeHtml(each.title)}</a>`;
  return `<nav class="neighbors" aria-label="Neighbors">${link(pages[index - 1], 'prev', 'Previous')}${link(pages[index + 1], 'next', 'Next')}</nav>`;
}

function renderContents(headings: readonly RenderedHeading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2);
  if (shown.length < 2) return '';
  const items = shown.map(
    ({ id, html }) => `<li><a href="#${id}">${html.replaceAll(/<\/?a\b[^>]*>/g, '')}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}
