import { buildProse } from '../support/prose.ts';

const PAGE_BYTES = 14_000;
const LINKS = 40;
const paragraphs = buildProse(200_000).split('\n\n');

/**
 * Builds a page like those of content management systems: navigation, scripts, styles, and an article with headings,
 * lists and a table.
 */
export function buildArticlePage(path: string): string {
  const number = Number(path.slice(path.lastIndexOf('/') + 1));
  const links = Array.from(
    { length: LINKS },
    (_, link) => `<li><a href="/${link}">Topic ${link}</a></li>`,
  ).join('');
  const rows = Array.from(
    { length: 12 },
    (_, row) => `<tr><td>Item ${row}</td><td>${number * row} pounds</td></tr>`,
  ).join('');
  const frame = (article: string) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${number}</title>` +
    `<style>body{margin:0}</style><script>window.page=${number}</script></head><body>` +
    `<header><nav><ul>${links}</ul></nav></header><main><article><h1>Chapter ${number}</h1>${article}` +
    `<table><tr><th>Item</th><th>Price</th></tr>${rows}</table></article></main>` +
    `<aside><ul>${links}</ul></aside><footer><p>All rights reserved.</p></footer></body></html>`;
  let article = '';
  for (let index = 0; frame(article).length < PAGE_BYTES; index += 1) {
    const text = paragraphs[(number * 7 + index) % paragraphs.length]!.replace(/^#+ /, '');
    article += index % 5 === 0 ? `<h2>Part ${index} of ${number}</h2>` : '';
    article += `<p class="text">${text} See <a href="/${index}">page ${index}</a> and <strong>rule ${index}</strong>.</p>`;
  }
  return frame(article);
}
