import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildArticlePage } from './article-page.ts';

/**
 * A web site in a separate process. `/<name>/sitemap.xml?<count>` lists its pages, each of 14 KB. Prints its port.
 */
const server = createServer((request, response) => {
  const { pathname, search, host } = new URL(request.url ?? '/', `http://${request.headers.host}`);
  if (pathname === '/robots.txt') return void response.writeHead(404).end();
  if (pathname.endsWith('/sitemap.xml')) {
    const folder = `http://${host}${pathname.slice(0, -'sitemap.xml'.length)}`;
    const urls = Array.from({ length: Number(search.slice(1)) }, (_, page) => `${folder}${page}`);
    const entries = urls.map((url) => `<url><loc>${url}</loc></url>`).join('');
    return void response.setHeader('content-type', 'application/xml').end(`<urlset>${entries}</urlset>`);
  }
  response.setHeader('content-type', 'text/html; charset=utf-8').end(buildArticlePage(pathname));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
