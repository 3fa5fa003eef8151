import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { proseOf } from '../support/prose.ts';

/** A web site in a process of its own: `/<name>/sitemap.xml?<count>` lists its pages, each of 14 KB. Prints its port. */
const PAGE_BYTES = 14_000;
const LINKS = 40;
const paragraphs = proseOf(200_000).split('\n\n');

const server = createServer((request, response) => {
  const { pathname, search, host } = new URL(request.url ?? '/', `http://${request.headers.host}`);
  if (pathname === '/robots.txt') return void response.writeHead(404).end();
  if (pathname.endsWith('/sitemap.xml')) {
    const folder = `http://${host}${pathname.slice(0, -'sitemap.xml'.length)}`;
    const urls = Array.from({ length: Number(search.slice(1)) }, (_, page) => `${folder}${page}`);
    const entries = urls.map((url) => `<url><loc>${url}</loc></url>`).join('');
    return void response.setHeader('content-type', 'application/xml').end(`<urlset>${entries}</urlset>`);
  }
  response.setHeader('content-type', 'text/html; charset=utf-8').end(pageOf(pathname));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));

/** As content management systems make them: navigation, scripts, styles, and an article with headings, lists and a table. */
function pageOf(path: string): string {
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
