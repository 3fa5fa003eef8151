import { escapeHtml } from '../../core/text/escape-html.ts';
import type { TagGroup } from '../http/openapi/tag-groups.ts';
import type { Json } from '../http/openapi/openapi-components.ts';

/** An OpenAPI document whose operations the API reference lists. */
export interface ReferenceDocument {
  /** Path at which the page's script loads the document. */
  source: string;
  title: string;
  /** Beginning of the HTML ids of tags, which differs between OpenAPI documents. */
  anchor: string;
  document: Json;
}

interface Tag {
  name: string;
  description?: string;
}

interface ListedOperation {
  method: string;
  path: string;
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  /** A guide of this server about the operation. */
  externalDocs?: { url: string; description: string };
}

interface Group {
  name: string;
  tags: { tag: Tag; operations: ListedOperation[] }[];
}

type GroupedDocument = ReferenceDocument & { groups: Group[] };

const LINK = /\[([^\]]+)\]\(((?:https?:\/)?\/[^)\s]+)\)/g;

/**
 * Renders the page of the API reference. All names and summaries are text, so that browsers find them and
 * links to operations work before any script runs. The script adds fields, samples and trial requests.
 */
export function renderReference(documents: readonly ReferenceDocument[]): string {
  const sections = documents.map((each) => ({ ...each, groups: groupOperations(each.document) }));
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Parley API reference</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/docs/reference.css">
  <script type="module" src="/docs/reference.js"></script>
</head>
<body>
<a class="skip" href="#reference-operations">Skip to the operations</a>
<header>
  <a class="brand" href="/docs">Parley API</a>
  <a href="/docs/guides">Guides</a>
${documents.map(({ source }) => `  <a href="${source}">${source.slice(1)}</a>`).join('\n')}
  <label class="key" hidden>Key <input type="password" id="reference-key" autocomplete="off" spellcheck="false" placeholder="parley_live_…"></label>
  <button type="button" id="reference-theme" hidden>Dark</button>
</header>
<nav aria-label="Operations">
  <details open>
    <summary>Operations</summary>
    <search hidden><input type="search" aria-label="Search operations and fields" placeholder="Search  /" autocomplete="off" spellcheck="false"><p role="status"></p></search>
${sections.map((section) => renderMenu(section, documents.length > 1)).join('\n')}
  </details>
</nav>
<main id="reference-operations" tabindex="-1">
${sections.map(renderDocument).join('\n')}
</main>
</body>
</html>
`;
}

/**
 * Returns the operations in the order of the OpenAPI document's tag groups, or in the order of its tags if it
 * has no groups.
 */
function groupOperations(document: Json): Group[] {
  const operations = Object.entries(
    document['paths'] as Record<string, Record<string, ListedOperation>>,
  ).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, method, path })),
  );
  const tags = (document['tags'] ?? []) as Tag[];
  const groups =
    (document['x-tagGroups'] as TagGroup[] | undefined) ?? tags.map(({ name }) => ({ name, tags: [name] }));
  return groups.map((group) => ({
    name: group.name,
    tags: group.tags.map((name) => ({
      tag: tags.find((tag) => tag.name === name) ?? { name },
      operations: operations.filter((operation) => operation.tags[0] === name),
    })),
  }));
}

function renderMenu({ groups, title, anchor }: GroupedDocument, isOneOfSeveral: boolean): string {
  const lists = groups.flatMap(({ name, tags }) =>
    tags.map(
      ({ tag, operations }, index) =>
        `<div class="menu">${index === 0 ? `<h2>${escapeHtml(name)}</h2>` : ''}
<h3><a href="#${anchor}/${escapeHtml(tag.name)}">${escapeHtml(tag.name)}</a></h3>
<ul>
${operations.map(renderMenuItem).join('\n')}
</ul></div>`,
    ),
  );
  return [isOneOfSeveral ? `<p class="title">${escapeHtml(title)}</p>` : '', ...lists].join('\n');
}

function renderMenuItem({ operationId, method, path, summary }: ListedOperation): string {
  return `<li><a href="#${operationId}" title="${method.toUpperCase()} ${escapeHtml(path)}"><code>${operationId}</code> <span>${escapeHtml(summary)}</span></a></li>`;
}

function renderDocument({ source, title, anchor, groups }: GroupedDocument): string {
  const tags = groups.flatMap((group) => group.tags);
  return `<section class="document" data-source="${source}">
<h1>${escapeHtml(title)}</h1>
${tags.map((tag) => renderTag(tag, anchor)).join('\n')}
</section>`;
}

function renderTag({ tag, operations }: Group['tags'][number], anchor: string): string {
  return `<section class="tag" id="${anchor}/${escapeHtml(tag.name)}">
<h2>${escapeHtml(tag.name)}</h2>
<p>${renderText(tag.description ?? '')}</p>
${operations.map(renderOperation).join('\n')}
</section>`;
}

function renderOperation(operation: ListedOperation): string {
  const { operationId, method, path, summary, description = '', externalDocs } = operation;
  const paragraphs = [
    ...description.split('\n\n'),
    ...(externalDocs ? [`[${externalDocs.description}](${toOwnPath(externalDocs.url)})`] : []),
  ];
  return `<details class="operation" id="${operationId}" data-method="${method}" data-path="${escapeHtml(path)}">
<summary><h3>${operationId}</h3> <span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code> <span class="what">${renderText(summary)}</span></summary>
${paragraphs.map((text) => `<p>${renderText(text)}</p>`).join('\n')}
</details>`;
}

/**
 * Returns the path of a guide's URL, because the page's origin may differ from the public URL in the
 * document.
 */
function toOwnPath(url: string): string {
  const { pathname, hash } = new URL(url);
  return `${pathname}${hash}`;
}

/** Renders the Markdown that OpenAPI descriptions use: code and links. */
function renderText(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`]*)`/g, '<code>$1</code>')
    .replaceAll(LINK, '<a href="$2">$1</a>');
}
