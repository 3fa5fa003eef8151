import { createRequire } from 'node:module';
import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../../core/text/escape-html.ts';
import { parseInfoString } from './info-string.ts';

interface Highlighter {
  getLanguage(name: string): unknown;
  highlight(code: string, options: { language: string }): { value: string };
}

/** Library that highlights code. Loaded at runtime, because an import would add the types of browsers to all files. */
const highlighter = createRequire(import.meta.url)('highlight.js') as Highlighter;

/** Languages of code blocks with output of programs, which readers do not copy. */
const OUTPUT_LANGUAGES = new Set(['', 'text', 'json', 'http']);

export interface RenderedHeading {
  depth: number;
  id: string;
  html: string;
}

export interface RenderedMarkdown {
  html: string;
  headings: RenderedHeading[];
  /** Paths of all images in the rendered page. */
  images: string[];
}

export interface RenderOptions {
  /**
   * Returns the URL path for a link of the page.
   * @returns undefined to render the text without a link
   */
  link: (href: string) => string | undefined;
  image: (href: string) => string;
}

export function renderMarkdown(text: string, { link, image }: RenderOptions): RenderedMarkdown {
  const headings: RenderedHeading[] = [];
  const images: string[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const id = createUniqueId(stripHtml(html), headings);
        headings.push({ depth, id, html });
        const anchor =
          depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>`;
        return `<h${depth} id="${id}">${html}${anchor}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const target = link(href);
        return target === undefined ? html : `<a href="${escapeHtml(target)}">${html}</a>`;
      },
      image({ href, text: alt }) {
        images.push(href);
        return `<img src="${escapeHtml(image(href))}" alt="${escapeHtml(alt)}" loading="lazy">`;
      },
      code: renderCode,
      table(token) {
        const table = renderTable(token, (cell) => this.parser.parseInline(cell.tokens));
        return `<div class="table" tabindex="0" role="group" aria-label="Table">${table}</div>\n`;
      },
    },
  });
  const html = marked.parse(text, { async: false });
  return { html, headings, images };
}

/** Returns the text of inline Markdown without its formatting. */
export function toPlainText(markdown: string): string {
  return stripHtml(new Marked().parseInline(markdown, { async: false }));
}

/** Returns the text of HTML without its tags, for search and for ids of headings. */
export function stripHtml(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(lt|gt|quot|#39|#x27|amp);/g, (_all, name: string) => entities[name] ?? '');
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", amp: '&' };

/** Returns the id of a heading, as GitHub generates it, so that links to headings work on GitHub and on this server. */
function createUniqueId(text: string, headings: readonly RenderedHeading[]): string {
  const id = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  const same = headings.filter((each) => each.id === id || each.id.startsWith(`${id}-`)).length;
  return headings.some((each) => each.id === id) ? `${id}-${same}` : id;
}

function renderCode({ text, lang = '' }: Tokens.Code): string {
  const { language, attributes } = parseInfoString(lang);
  const code = highlighter.getLanguage(language)
    ? highlighter.highlight(text, { language }).value
    : escapeHtml(text);
  const title = attributes.get('title');
  const caption = title ?? chooseCaption(attributes);
  const isOutput = title === undefined && OUTPUT_LANGUAGES.has(language);
  return `<figure class="${isOutput ? 'output' : 'code'}">${
    caption === undefined ? '' : `<figcaption>${escapeHtml(caption)}</figcaption>`
  }<pre tabindex="0"><code>${code}</code></pre></figure>\n`;
}

/**
 * Returns the caption of a code block that readers run in another terminal or open in a browser; undefined
 * for other blocks.
 */
function chooseCaption(attributes: ReadonlyMap<string, string>): string | undefined {
  const terminal = ['background', 'from', 'stop'].map((name) => attributes.get(name)).find(Boolean);
  const page = attributes.get('browser');
  if (page !== undefined) return `In the browser, at ${page}`;
  return terminal === undefined ? undefined : `Terminal “${terminal}”`;
}

function renderTable({ header, rows }: Tokens.Table, inline: (cell: Tokens.TableCell) => string): string {
  const row = (cells: Tokens.TableCell[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join('')}</tr>`;
  const body = rows.map((cells) => row(cells, 'td')).join('');
  const head = row(header, 'th').replaceAll('<th></th>', '<td></td>');
  return `<table><thead>${head}</thead><tbody>${body}</tbody></table>`;
}
